/** The super admin's calls about organisations, plans and invoices. */
import type { FastifyInstance } from "fastify";
import type * as z from "zod/mini";
import { auditApi } from "#contract/audit.ts";
import type { LetterWay } from "#contract/auth.ts";
import type { Invited, InviteInput } from "#contract/organizations.ts";
import { adminApi } from "#contract/platform.ts";
import type { Database } from "#server/db/database.ts";
import { on, type Viewer } from "#server/http.ts";
import { exportAudit, listAudit } from "./audit-log.ts";
import { type Acting, changeRole, listMembers } from "./members.ts";
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

/** Sends an invitation's letter after the answer; tells where it goes. */
export type SendInvitation = (email: string, token: string) => LetterWay;
/** Invites and sends the letter. */
export type InviteByLetter = (acting: Acting, input: z.output<typeof InviteInput>) => Promise<Invited>;

interface PlatformDeps {
  db: Database;
  inviteByLetter: InviteByLetter;
  sendInvitation: SendInvitation;
}

export function mountPlatformRoutes(app: FastifyInstance, { db, inviteByLetter, sendInvitation }: PlatformDeps): void {
  const api = adminApi;
  on(app, api.plans, () => listPlans(db, "all"));
  on(app, api.changePlan, ({ viewer, params, input }) => changePlan(db, viewer, params.id, input));
  on(app, api.organizations, ({ query }) => listOrganizations(db, query));
  on(app, api.addOrganization, async ({ viewer, input }) => {
    const { organization, token } = await addOrganization(db, viewer, input);
    return { ...organization, letter: sendInvitation(input.email, token) };
  });
  on(app, api.organization, ({ viewer, params }) => getOrganization(db, viewer, params.id));
  on(app, api.changeOrganization, ({ viewer, params, input }) => changeOrganization(db, viewer, params.id, input));

  /** The super admin in any organisation there is, or 404. */
  const acting = async (viewer: Viewer, params: { id: string }): Promise<Acting> => ({
    userId: viewer.userId,
    organizationId: (await organizationRow(db, params.id)).id,
  });
  on(app, api.members, async ({ viewer, params, query }) => listMembers(db, await acting(viewer, params), query));
  on(app, api.inviteMember, async ({ viewer, params, input }) => inviteByLetter(await acting(viewer, params), input));
  on(app, api.changeMemberRole, async ({ viewer, params, input }) =>
    changeRole(db, await acting(viewer, params), params.userId, input.role),
  );
  const whole = ({ userId }: Viewer) => ({ userId, whole: true }) as const;
  on(app, auditApi.listAll, ({ viewer, query }) => listAudit(db, whole(viewer), query));
  on(app, auditApi.exportAll, ({ viewer, input }) => exportAudit(db, whole(viewer), input));
  on(app, api.payments, ({ query }) => listAllPayments(db, query));
  on(app, api.settlePayment, ({ viewer, params, input }) => settleAnyPayment(db, viewer, params.id, input.status));
}
