/** Who may do what, one line a rule. Row-level security has hidden other organisations' rows before. */
import { forbidden, notFound } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { organizationNotFound } from "./platform-rows.ts";

type Caller = Pick<Viewer, "userId" | "organizationId" | "role">;
/** The columns of a twin that decide. */
export interface OwnedTwin {
  orgId: string;
  ownerId: string;
}

/** Every member reads the organisation's twins. */
export const mayReadTwin = (viewer: Caller, twin: OwnedTwin): boolean => twin.orgId === viewer.organizationId;
/** `org_admin` changes all of the organisation's twins, `user` his own, `viewer` none. */
export const mayChangeTwin = (viewer: Caller, twin: OwnedTwin): boolean =>
  mayReadTwin(viewer, twin) &&
  (viewer.role === "org_admin" || (viewer.role === "user" && twin.ownerId === viewer.userId));

/** Any member who may change something stops all twins; only an administrator or the same member lets them answer again. */
export const mayResumeTwins = (viewer: Caller, stop: { orgId: string; stoppedBy: string }): boolean =>
  stop.orgId === viewer.organizationId &&
  (viewer.role === "org_admin" || (viewer.role === "user" && stop.stoppedBy === viewer.userId));

/** @throws Problem 404: whether another organisation's twin exists is nobody's business */
export function canRead(viewer: Caller, twin: OwnedTwin): void {
  if (!mayReadTwin(viewer, twin)) throw notFound("Агент не найден", "twin_not_found");
}

/** @throws Problem 404 for another organisation's twin, 403 for one that the viewer may only read */
export function canChange(viewer: Caller, twin: OwnedTwin): void {
  canRead(viewer, twin);
  if (!mayChangeTwin(viewer, twin)) throw forbidden("forbidden", "Недостаточно прав для этого действия");
}

/**
 * The organisation that an address names, when it is the viewer's own.
 * @throws Problem 404 for any other: whether it exists is nobody's business
 */
export function ownOrganization(viewer: Caller, params: { orgId: string }): string {
  // A UUID may be written in capital letters.
  const named = params.orgId.toLowerCase();
  if (named !== viewer.organizationId) throw organizationNotFound();
  return named;
}
