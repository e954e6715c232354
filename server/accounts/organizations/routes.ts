import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import { auditApi } from "#contract/organizations/audit.ts";
import { authApi } from "#contract/organizations/auth.ts";
import { invitationsApi, organizationsApi } from "#contract/organizations/organizations.ts";
import { plansApi } from "#contract/plans/plans.ts";
import { findMember } from "#server/accounts/auth/accounts.ts";
import { endSession } from "#server/accounts/auth/sessions.ts";
import { refuseWithSecondFactor, signIn } from "#server/accounts/auth/sign-in.ts";
import { userJson } from "#server/accounts/auth/user-json.ts";
import { afterResponses } from "#server/accounts/mail/after-response.ts";
import { invitationLetter } from "#server/accounts/mail/letters.ts";
import type { Mailer } from "#server/accounts/mail/mail.ts";
import { createNoticeSender, notifyAdministrators, type SendNotice } from "#server/accounts/mail/notices.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { type Caller, route } from "#server/platform/http/route.ts";
import type { Log } from "#server/platform/log.ts";
import { ownOrganization } from "./access.ts";
import type { ActingUser } from "./acting.ts";
import { EXPORT_CALLS, exportAudit, listAudit } from "./audit-log.ts";
import { acceptInvitation, invite, lookAtInvitation } from "./invitations.ts";
import { changeRole, listMembers } from "./members.ts";
import { ownOrganizations, switchOrganization } from "./organizations.ts";
import { type InviteByLetter, mountPlatformRoutes, type SendInvitation } from "./platform-routes.ts";
import { choosePlan, listPayments, listPlans, subscriptionOf } from "./subscriptions.ts";

interface OrganizationDeps {
  db: Database;
  config: Config;
  files: FileStore;
  log: Log;
  mailer: Mailer;
}

/** Limits per client address, for tries of a link and for requested letters. */
const LIMITS = {
  links: { max: 30, timeWindow: "15 minutes" },
  letters: { max: 60, timeWindow: "1 hour" },
};

export function mountOrganizationRoutes(app: FastifyInstance, deps: OrganizationDeps): void {
  const { db, config } = deps;
  const afterAnswer = afterResponses(app, deps.log);
  const tell = createNoticeSender(app, deps);
  const sendInvitation: SendInvitation = (email, token) => {
    afterAnswer("invitation", () => deps.mailer.send(invitationLetter(email, config.publicUrl, token)));
    return deps.mailer.way;
  };
  const inviteByLetter: InviteByLetter = async (acting, input) => {
    const { member, token } = await db.transaction((tx) => invite(tx, acting, input));
    return { ...member, letter: sendInvitation(input.email, token) };
  };

  const api = organizationsApi;
  /** Returns the caller acting in the organisation of the path. @throws Problem 404 when it is not the caller's own */
  const acting = (caller: Caller, params: { orgId: string }): ActingUser => ({
    userId: caller.userId,
    organizationId: ownOrganization(caller, params),
  });
  route(app, api.users, ({ caller, params, query }) => listMembers(db, acting(caller, params), query));
  route(app, api.invite, ({ caller, params, input }) => inviteByLetter(acting(caller, params), input), {
    rateLimit: LIMITS.letters,
  });
  route(app, api.changeRole, ({ caller, params, input }) =>
    changeRole(db, acting(caller, params), params.userId, input.role),
  );
  route(app, api.plans, () => listPlans(db, "active"));
  route(app, plansApi.published, async () =>
    (await listPlans(db, "active")).map(({ isActive: _chosen, ...told }) => told),
  );
  route(app, api.subscription, ({ caller, params }) =>
    subscriptionOf(db, acting(caller, params), { invoices: caller.role === "org_admin" }),
  );
  route(app, api.choosePlan, ({ caller, params, input }) => choosePlan(db, acting(caller, params), input.planId));
  route(app, api.payments, ({ caller, params, query }) => listPayments(db, acting(caller, params), query));

  route(app, auditApi.list, ({ caller, params, query }) => listAudit(db, acting(caller, params), query));
  route(
    app,
    auditApi.export,
    ({ caller, params, input }) => exportAudit(db, acting(caller, params), input),
    EXPORT_CALLS,
  );

  route(app, authApi.organizations, ({ caller }) => ownOrganizations(db, caller));
  route(app, authApi.organization, async ({ caller, input }) => {
    await switchOrganization(db, caller, input.organizationId);
    const member = await findMember(db, caller.userId, input.organizationId);
    return { user: userJson(member!.user, member!.membership, config) };
  });
  route(app, invitationsApi.look, ({ input }) => lookAtInvitation(db, input.token), { rateLimit: LIMITS.links });
  route(
    app,
    invitationsApi.accept,
    ({ input, caller, request, reply }) => enterByInvitation({ ...deps, tell }, input, caller, { request, reply }),
    { rateLimit: LIMITS.links },
  );

  mountPlatformRoutes(app, { db, inviteByLetter, sendInvitation });
}

async function enterByInvitation(
  { db, config, files, log, tell }: OrganizationDeps & { tell: SendNotice },
  input: z.output<typeof invitationsApi.accept.input>,
  caller: Caller | null,
  exchange: { request: FastifyRequest; reply: FastifyReply },
) {
  const from = { userId: caller?.userId ?? null, ip: exchange.request.ip };
  const answer = await acceptInvitation({ db, config, files, log }, input, from, async (tx, user, membership) => {
    // A password alone must not open an account with a second factor here either; a user who is signed in has passed both steps.
    if (user.id !== from.userId) await refuseWithSecondFactor(tx, user.id);
    const detail = user.email === null ? {} : { email: user.email };
    await notifyAdministrators(tell, tx, membership.organizationId, user.id, { kind: "member-joined", detail });
    return signIn({ config, tell }, exchange, tx, user, membership, "email");
  });
  // The browser now holds the new session's cookie, so the previous session could not be used any more.
  if (caller !== null) await endSession(db, caller.sessionId);
  return answer;
}
