/** The organisation's own calls: members, invitations, the subscription. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import { auditApi } from "#contract/audit.ts";
import { authApi } from "#contract/auth.ts";
import { invitationsApi, organizationsApi } from "#contract/organizations.ts";
import { findMember } from "#server/auth/accounts.ts";
import { afterAnswers } from "#server/auth/after-answer.ts";
import { invitationLetter } from "#server/auth/letters.ts";
import type { Mailer } from "#server/auth/mail.ts";
import { noticeTeller, type Tell, tellAdministrators } from "#server/auth/notices/notices.ts";
import { refuseWithSecondFactor, signIn } from "#server/auth/second-factor/sign-in.ts";
import { endSession } from "#server/auth/sessions.ts";
import { userJson } from "#server/auth/user-json.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { on, type Viewer } from "#server/http.ts";
import type { Log } from "#server/log.ts";
import { ownOrganization } from "./access.ts";
import { exportAudit, listAudit } from "./audit-log.ts";
import { acceptInvitation, invite, lookAtInvitation } from "./invitations.ts";
import { type Acting, changeRole, listMembers } from "./members.ts";
import { ownOrganizations, switchOrganization } from "./organizations.ts";
import { type InviteByLetter, mountPlatformRoutes, type SendInvitation } from "./platform-routes.ts";
import { choosePlan, listPayments, listPlans, subscriptionOf } from "./subscriptions.ts";

export interface OrganizationDeps {
  db: Database;
  config: Config;
  log: Log;
  mailer: Mailer;
}

/** Per client address: a link is tried, letters are asked for. */
const LIMITS = {
  links: { max: 30, timeWindow: "15 minutes" },
  letters: { max: 60, timeWindow: "1 hour" },
};

export function mountOrganizationRoutes(app: FastifyInstance, deps: OrganizationDeps): void {
  const { db, config } = deps;
  const afterAnswer = afterAnswers(app, deps.log);
  const tell = noticeTeller(app, deps);
  const sendInvitation: SendInvitation = (email, token) => {
    afterAnswer("invitation", () => deps.mailer.send(invitationLetter(email, config.publicUrl, token)));
    return deps.mailer.way;
  };
  const inviteByLetter: InviteByLetter = async (acting, input) => {
    const { member, token } = await db.transaction((tx) => invite(tx, acting, input));
    return { ...member, letter: sendInvitation(input.email, token) };
  };

  const api = organizationsApi;
  /** The viewer in the organisation that the address names: his own, or 404. */
  const acting = (viewer: Viewer, params: { orgId: string }): Acting => ({
    userId: viewer.userId,
    organizationId: ownOrganization(viewer, params),
  });
  on(app, api.users, ({ viewer, params, query }) => listMembers(db, acting(viewer, params), query));
  on(app, api.invite, ({ viewer, params, input }) => inviteByLetter(acting(viewer, params), input), {
    rateLimit: LIMITS.letters,
  });
  on(app, api.changeRole, ({ viewer, params, input }) =>
    changeRole(db, acting(viewer, params), params.userId, input.role),
  );
  on(app, api.plans, () => listPlans(db, "active"));
  on(app, api.publicPlans, async () => (await listPlans(db, "active")).map(({ isActive: _chosen, ...told }) => told));
  on(app, api.subscription, ({ viewer, params }) =>
    subscriptionOf(db, acting(viewer, params), { invoices: viewer.role === "org_admin" }),
  );
  on(app, api.choosePlan, ({ viewer, params, input }) => choosePlan(db, acting(viewer, params), input.planId));
  on(app, api.payments, ({ viewer, params, query }) => listPayments(db, acting(viewer, params), query));

  on(app, auditApi.list, ({ viewer, params, query }) => listAudit(db, acting(viewer, params), query));
  on(app, auditApi.export, ({ viewer, params, input }) => exportAudit(db, acting(viewer, params), input));

  on(app, authApi.organizations, ({ viewer }) => ownOrganizations(db, viewer));
  on(app, authApi.organization, async ({ viewer, input }) => {
    await switchOrganization(db, viewer, input.organizationId);
    const member = await findMember(db, viewer.userId, input.organizationId);
    return { user: userJson(member!.user, member!.membership, config) };
  });
  on(app, invitationsApi.look, ({ input }) => lookAtInvitation(db, input.token), { rateLimit: LIMITS.links });
  on(
    app,
    invitationsApi.accept,
    ({ input, viewer, request, reply }) => enterByInvitation({ ...deps, tell }, input, viewer, { request, reply }),
    { rateLimit: LIMITS.links },
  );

  mountPlatformRoutes(app, { db, inviteByLetter, sendInvitation });
}

async function enterByInvitation(
  { db, config, log, tell }: OrganizationDeps & { tell: Tell },
  input: z.output<typeof invitationsApi.accept.input>,
  viewer: Viewer | null,
  exchange: { request: FastifyRequest; reply: FastifyReply },
) {
  const caller = { userId: viewer?.userId ?? null, ip: exchange.request.ip };
  const answer = await acceptInvitation({ db, config, log }, input, caller, async (tx, user, membership) => {
    // A password alone does not open such an account by this way either; who is signed in to it has shown the rest.
    if (user.id !== caller.userId) await refuseWithSecondFactor(tx, user.id);
    const detail = user.email === null ? {} : { email: user.email };
    await tellAdministrators(tell, tx, membership.organizationId, user.id, { kind: "member-joined", detail });
    return signIn({ config, tell }, exchange, tx, user, membership, "email");
  });
  // The browser holds the new session now: the one before would be left without its cookie.
  if (viewer !== null) await endSession(db, viewer.sessionId);
  return answer;
}
