import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { SubscriptionPlan } from "../plans/plans.ts";
import { TwinStatus } from "../twins.ts";
import { Email, MailTransport, Role, SignInResult } from "./auth.ts";
import { OrganizationParams } from "./organization-params.ts";
import { NewPassword, OneTimeToken } from "./registration.ts";

const id = () => z.uuid("Неверный идентификатор");
const Moment = z.string();
const count = z.number();

/** Page size of lists; the next page begins after the id that is sent as `after`. */
export const PAGE_SIZE = 50;
export const PageQuery = z.object({ after: z.optional(id()) });
export const SearchQuery = z.extend(PageQuery, {
  q: z.optional(z.string().check(z.maxLength(200, "Слишком длинный запрос"))),
});

const MemberParams = z.extend(OrganizationParams, { userId: id() });

export const OrganizationStats = z.object({
  totalUsers: count,
  digitalTwins: count,
  totalMessages: count,
  activeIntegrations: count,
});
export type OrganizationStats = z.infer<typeof OrganizationStats>;

/** A member, or an invited person who has not accepted yet, in which case `id` is the invitation's. */
export const Member = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  username: z.nullable(z.string()),
  role: Role,
  status: z.enum(["active", "invited"]),
  twins: count,
  createdAt: Moment,
});
export type Member = z.infer<typeof Member>;

/** The person who was just invited; `letter` says where the email with the link was sent. */
export const Invited = z.extend(Member, { letter: MailTransport });
export type Invited = z.infer<typeof Invited>;

const Name = (tooLong: string) => z._default(z.string().check(z.trim(), z.maxLength(100, tooLong)), "");
export const InviteInput = z.object({
  email: Email,
  firstName: Name("Слишком длинное имя"),
  lastName: Name("Слишком длинная фамилия"),
  role: z._default(Role, "user"),
});
export type InviteInput = z.infer<typeof InviteInput>;

export const RoleInput = z.object({ role: Role });

const heldOn = { id: z.string(), twinName: z.string() };
/** What a member owns. Removing the member deletes it or hands it over. */
export const MemberResources = z.object({
  twins: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Keys that the member created and that are not revoked. */
  keys: z.array(z.object({ ...heldOn, name: z.string() })),
  /** Webhooks and integrations that the member created or that belong to the member's twins. */
  webhooks: z.array(z.object({ ...heldOn, host: z.string() })),
  integrations: z.array(z.object({ ...heldOn, platform: z.string(), account: z.nullable(z.string()) })),
  heir: z.object({ id: z.string(), name: z.string() }),
});
export type MemberResources = z.infer<typeof MemberResources>;

/** `hand-over`: the twins pass to an administrator, paused and without their owner's correspondence; `delete`: they are deleted. */
export const TwinHandover = z.enum(["hand-over", "delete"], "Выберите, что станет с двойниками");
export type TwinHandover = z.infer<typeof TwinHandover>;
export const RemovalQuery = z.object({ twins: z._default(TwinHandover, "hand-over") });

export const OrganizationTwin = z.object({
  id: z.string(),
  name: z.string(),
  status: TwinStatus,
  isActive: z.boolean(),
  /** null for callers who may not see the list of members, and for a twin of a former member. */
  ownerName: z.nullable(z.string()),
  messages: count,
  createdAt: Moment,
});
export type OrganizationTwin = z.infer<typeof OrganizationTwin>;

export const DEFAULT_PLAN = "starter";
export const PlanId = z.string("Выберите план").check(z.regex(/^[a-z0-9-]{1,40}$/, "Выберите план"));
const PlanChoice = z.object({ planId: PlanId });

export const PaymentStatus = z.enum(["pending", "paid", "cancelled"]);
export const Payment = z.object({
  id: z.string(),
  planId: z.string(),
  planName: z.string(),
  /** Amount in roubles. */
  amount: count,
  status: PaymentStatus,
  createdAt: Moment,
  paidAt: z.nullable(Moment),
});
export type Payment = z.infer<typeof Payment>;

export const Subscription = z.object({
  plan: SubscriptionPlan,
  status: z.literal("active"),
  /** null if the organisation has never chosen a plan. */
  since: z.nullable(Moment),
  /** The unpaid invoice; null for callers who are not administrators. */
  pending: z.nullable(Payment),
});
export type Subscription = z.infer<typeof Subscription>;

/** Measured usage; the limits shown beside it are fixed in the web application. */
export const OrganizationUsage = z.object({
  /** First day of the period, YYYY-MM-DD. The period is the calendar month in Moscow time. */
  since: z.string(),
  apiCalls: count,
  messages: count,
  storageBytes: count,
  twins: count,
  integrations: count,
  /** One entry for every day of the period until today, in ascending order. */
  daily: z.array(z.object({ day: z.string(), messages: count })),
});
export type OrganizationUsage = z.infer<typeof OrganizationUsage>;

export const organizationsApi = {
  stats: endpoint("GET /api/organizations/:orgId/stats", {
    access: "signed-in",
    tags: ["organization"],
    summary: "Показатели организации",
    params: OrganizationParams,
    output: OrganizationStats,
  }),
  users: endpoint("GET /api/organizations/:orgId/users", {
    access: "org_admin",
    tags: ["organization"],
    summary: "Участники организации и приглашённые",
    params: OrganizationParams,
    query: SearchQuery,
    output: z.array(Member),
  }),
  invite: endpoint("POST /api/organizations/:orgId/users", {
    access: "org_admin",
    refreshes: ["organization", "memberships"],
    summary: "Пригласить участника",
    params: OrganizationParams,
    input: InviteInput,
    output: Invited,
    status: 201,
  }),
  changeRole: endpoint("PUT /api/organizations/:orgId/users/:userId", {
    access: "org_admin",
    refreshes: ["organization", "memberships"],
    summary: "Сменить роль участника",
    params: MemberParams,
    input: RoleInput,
    output: Member,
  }),
  removeMember: endpoint("DELETE /api/organizations/:orgId/users/:userId", {
    access: "org_admin",
    refreshes: ["organization", "memberships", "twins", "dashboard"],
    summary: "Исключить участника или отозвать приглашение",
    params: MemberParams,
    query: RemovalQuery,
  }),
  resources: endpoint("GET /api/organizations/:orgId/users/:userId/holdings", {
    access: "org_admin",
    tags: ["organization"],
    summary: "Что есть у участника: двойники, ключи, вебхуки, интеграции",
    params: MemberParams,
    output: MemberResources,
  }),
  twins: endpoint("GET /api/organizations/:orgId/digital-twins", {
    access: "signed-in",
    tags: ["organization"],
    summary: "Двойники организации",
    params: OrganizationParams,
    query: PageQuery,
    output: z.array(OrganizationTwin),
  }),
  subscription: endpoint("GET /api/organizations/:orgId/subscription", {
    access: "signed-in",
    tags: ["organization"],
    summary: "Подписка организации",
    params: OrganizationParams,
    output: Subscription,
  }),
  choosePlan: endpoint("PUT /api/organizations/:orgId/subscription", {
    access: "org_admin",
    refreshes: ["organization", "memberships", "platform"],
    summary: "Выбрать план: бесплатный действует сразу, для платного выставляется счёт",
    params: OrganizationParams,
    input: PlanChoice,
    output: Subscription,
  }),
  usage: endpoint("GET /api/organizations/:orgId/usage", {
    access: "signed-in",
    tags: ["organization"],
    summary: "Использование за месяц",
    params: OrganizationParams,
    output: OrganizationUsage,
  }),
  payments: endpoint("GET /api/organizations/:orgId/payments", {
    access: "org_admin",
    tags: ["organization"],
    summary: "Счета организации",
    params: OrganizationParams,
    query: PageQuery,
    output: z.array(Payment),
  }),
  plans: endpoint("GET /api/subscription-plans", {
    access: "signed-in",
    tags: ["plans"],
    summary: "Планы, которые можно выбрать",
    output: z.array(SubscriptionPlan),
  }),
};

/** Content of the page that an invitation's link opens. The link proves access to the mailbox. */
export const InvitationView = z.object({
  email: z.string(),
  firstName: z.string(),
  organizationName: z.string(),
  role: Role,
  /** true: the account's password is required; false: a new password creates the account. */
  hasAccount: z.boolean(),
  /** Whether the account's address was never confirmed, so that `startClean` with a new password may replace the account. */
  mayStartClean: z.boolean(),
});
export type InvitationView = z.infer<typeof InvitationView>;

/** A user who is signed in with the invitation's email address needs no password. */
export const AcceptInput = z.object({
  token: OneTimeToken,
  password: z.optional(NewPassword),
  /** Replaces an account whose address was never confirmed: its content is deleted and `password` becomes its new password. */
  startClean: z.optional(z.boolean()),
});

export const invitationsApi = {
  look: endpoint("POST /api/auth/invitation", {
    access: "public",
    refreshes: "nothing",
    summary: "Что за приглашение открыто по ссылке",
    input: z.object({ token: OneTimeToken }),
    output: InvitationView,
  }),
  accept: endpoint("POST /api/auth/invitation/accept", {
    access: "public",
    refreshes: "session",
    summary: "Принять приглашение и войти",
    input: AcceptInput,
    output: SignInResult,
  }),
};
