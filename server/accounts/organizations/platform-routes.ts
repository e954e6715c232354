import type { FastifyInstance } from "fastify";
import type * as z from "zod/mini";
import { auditApi } from "#contract/organizations/audit.ts";
import type { MailTransport } from "#contract/organizations/auth.ts";
import type { Invited, InviteInput } from "#contract/organizations/organizations.ts";
import { adminApi } from "#contract/organizations/platform.ts";
import type { Database } from "#server/platform/db/database.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import type { ActingUser } from "./acting.ts";
import { EXPORT_CALLS, exportAudit, listAudit } from "./audit-log.ts";
import { changeRole, listMembers } from "./members.ts";
import {
  addOrganization,
  changeOrganization,
  getOrganization,
  listAllPayments,
  listOrganizations,
  organizationRow,
  settleAnyPayment,
} from "./organizations.ts";
import { changePlan, listPlans } from "./subscriptions.ts";

/** Sends an invitation's letter after the response; returns how letters are delivered. */
export type SendInvitation = (email: string, token: string) => MailTransport;
export type InviteByLetter = (acting: ActingUser, input: z.output<typeof InviteInput>) => Promise<Invited>;

interface PlatformDeps {
  db: Database;
  inviteByLetter: InviteByLetter;
  sendInvitation: SendInvitation;
}

export function mountPlatformRoutes(app: FastifyInstance, { db, inviteByLetter, sendInvitation }: PlatformDeps): void {
  const api = adminApi;
  route(app, api.plans, () => listPlans(db, "all"));
  route(app, api.changePlan, ({ caller, params, input }) => changePlan(db, caller, params.id, input));
  route(app, api.organizations, ({ query }) => listOrganizations(db, query));
  route(app, api.addOrganization, async ({ caller, input }) => {
    const { organization, token } = await addOrganization(db, caller, input);
    return { ...organization, letter: sendInvitation(input.email, token) };
  });
  route(app, api.organization, ({ caller, params }) => getOrganization(db, caller, params.id));
  route(app, api.changeOrganization, ({ caller, params, input }) => changeOrganization(db, caller, params.id, input));

  /** Returns the super admin acting in any existing organisation. @throws Problem 404 */
  const acting = async (caller: Caller, params: { id: string }): Promise<ActingUser> => ({
    userId: caller.userId,
    organizationId: (await organizationRow(db, params.id)).id,
  });
  route(app, api.members, async ({ caller, params, query }) => listMembers(db, await acting(caller, params), query));
  route(app, api.inviteMember, async ({ caller, params, input }) =>
    inviteByLetter(await acting(caller, params), input),
  );
  route(app, api.changeMemberRole, async ({ caller, params, input }) =>
    changeRole(db, await acting(caller, params), params.userId, input.role),
  );
  const whole = ({ userId }: Caller) => ({ userId, whole: true }) as const;
  route(app, auditApi.listAll, ({ caller, query }) => listAudit(db, whole(caller), query));
  route(app, auditApi.exportAll, ({ caller, input }) => exportAudit(db, whole(caller), input), EXPORT_CALLS);
  route(app, api.payments, ({ query }) => listAllPayments(db, query));
  route(app, api.settlePayment, ({ caller, params, input }) => settleAnyPayment(db, caller, params.id, input.status));
}
