/** Permissions, one rule per line. Row-level security has already hidden other organisations' rows. */
import { forbidden, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { organizationNotFound } from "./platform-rows.ts";

type Member = Pick<Caller, "userId" | "organizationId" | "role">;

interface OwnedTwin {
  orgId: string;
  ownerId: string;
}

/** Every member may read the organisation's twins. */
const mayReadTwin = (caller: Member, twin: OwnedTwin): boolean => twin.orgId === caller.organizationId;
/** `org_admin` may change all of the organisation's twins, `user` their own, `viewer` none. */
export const mayChangeTwin = (caller: Member, twin: OwnedTwin): boolean =>
  mayReadTwin(caller, twin) &&
  (caller.role === "org_admin" || (caller.role === "user" && twin.ownerId === caller.userId));

/** Any member who may change twins can stop all of them; only an administrator or the member who stopped them can resume them. */
export const mayResumeTwins = (caller: Member, stop: { orgId: string; stoppedBy: string }): boolean =>
  stop.orgId === caller.organizationId &&
  (caller.role === "org_admin" || (caller.role === "user" && stop.stoppedBy === caller.userId));

/** @throws Problem 404, which does not reveal whether another organisation has such a twin */
export function canRead(caller: Member, twin: OwnedTwin): void {
  if (!mayReadTwin(caller, twin)) throw notFound("Агент не найден", "twin_not_found");
}

/** @throws Problem 404 for another organisation's twin, 403 for one that the caller may only read */
export function canChange(caller: Member, twin: OwnedTwin): void {
  canRead(caller, twin);
  if (!mayChangeTwin(caller, twin)) throw forbidden("forbidden", "Недостаточно прав для этого действия");
}

/**
 * Returns the organisation in the path when it is the caller's own.
 * @throws Problem 404 for any other, which does not reveal whether it exists
 */
export function ownOrganization(caller: Member, params: { orgId: string }): string {
  // Compared in lower case, because a client may write a UUID in capital letters.
  const named = params.orgId.toLowerCase();
  if (named !== caller.organizationId) throw organizationNotFound();
  return named;
}
