import * as z from "zod/mini";
import { Email, LetterWay, NewPassword, OneTimeToken, Role, SignInResult } from "./auth.ts";
import { endpoint } from "./endpoint.ts";
import { TwinStatus } from "./twins.ts";

const id = () => z.uuid("Неверный идентификатор");
const Moment = z.string();
const count = z.number();

/** Lists come newest or oldest first in portions of this many; the next begins behind the id given as `after`. */
export const PORTION = 50;
export const PortionQuery = z.object({ after: z.optional(id()) });
/** A portion of what the words are found in. */
export const SearchQuery = z.extend(PortionQuery, {
  q: z.optional(z.string().check(z.maxLength(200, "Слишком длинный запрос"))),
});

export const OrganizationParams = z.object({ orgId: id() });
export const MemberParams = z.object({ orgId: id(), userId: id() });

export const OrganizationStats = z.object({
  totalUsers: count,
  digitalTwins: count,
  totalMessages: count,
  activeIntegrations: count,
});
export type OrganizationStats = z.infer<typeof OrganizationStats>;

/** A member, or somebody invited who has not come yet: then `id` is the invitation's. */
export const Member = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  username: z.nullable(z.string()),
  role: Role,
  status: z.enum(["active", "invited"]),
  /** How many of the organisation's twins are theirs. */
  twins: count,
  /** Since when a member, or when invited. */
  createdAt: Moment,
});
export type Member = z.infer<typeof Member>;

/** Whoever was invited just now, and where the letter with the link goes. */
export const Invited = z.extend(Member, { letter: LetterWay });
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
/** What a member holds, and what ends or passes on when the member is removed. */
export const MemberHoldings = z.object({
  twins: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Made by the member and not revoked. */
  keys: z.array(z.object({ ...heldOn, name: z.string() })),
  /** These and the next: made by the member, or of the member's own twins. */
  webhooks: z.array(z.object({ ...heldOn, host: z.string() })),
  integrations: z.array(z.object({ ...heldOn, platform: z.string(), account: z.nullable(z.string()) })),
  /** Who would get the twins. */
  heir: z.object({ id: z.string(), name: z.string() }),
});
export type MemberHoldings = z.infer<typeof MemberHoldings>;

/** What becomes of the twins: they pass, paused and without the letters of their owner, to an administrator, or are deleted. */
export const TwinsThen = z.enum(["hand-over", "delete"], "Выберите, что станет с двойниками");
export type TwinsThen = z.infer<typeof TwinsThen>;
export const RemovalQuery = z.object({ twins: z._default(TwinsThen, "hand-over") });

export const OrganizationTwin = z.object({
  id: z.string(),
  name: z.string(),
  status: TwinStatus,
  isActive: z.boolean(),
  /** Null for who may not see the list of members, and for a twin of somebody who is no member any more. */
  ownerName: z.nullable(z.string()),
  messages: count,
  createdAt: Moment,
});
export type OrganizationTwin = z.infer<typeof OrganizationTwin>;

export const BillingPeriod = z.enum(["month", "year"]);
export const SubscriptionPlan = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Roubles for each billing period. */
  price: count,
  billingPeriod: BillingPeriod,
  isActive: z.boolean(),
  features: z.array(z.string()),
});
export type SubscriptionPlan = z.infer<typeof SubscriptionPlan>;

/** What anybody may know of a plan that can be chosen. */
export const PublicPlan = z.pick(SubscriptionPlan, {
  id: true,
  name: true,
  description: true,
  price: true,
  billingPeriod: true,
  features: true,
});
export type PublicPlan = z.infer<typeof PublicPlan>;

/** What every organisation has that has chosen nothing else. */
export const DEFAULT_PLAN = "starter";
export const PlanId = z.string("Выберите план").check(z.regex(/^[a-z0-9-]{1,40}$/, "Выберите план"));
export const PlanChoice = z.object({ planId: PlanId });

export const PaymentStatus = z.enum(["pending", "paid", "cancelled"]);
export const Payment = z.object({
  id: z.string(),
  planId: z.string(),
  planName: z.string(),
  /** Roubles. */
  amount: count,
  status: PaymentStatus,
  createdAt: Moment,
  paidAt: z.nullable(Moment),
});
export type Payment = z.infer<typeof Payment>;

export const Subscription = z.object({
  plan: SubscriptionPlan,
  status: z.literal("active"),
  /** Null while the organisation has never chosen a plan. */
  since: z.nullable(Moment),
  /** The invoice that waits to be paid; administrators see it, others null. */
  pending: z.nullable(Payment),
});
export type Subscription = z.infer<typeof Subscription>;

/** Measured; the limits are the interface's fixed ones. */
export const OrganizationUsage = z.object({
  /** First day of the period, YYYY-MM-DD: the calendar month in Moscow. */
  since: z.string(),
  /** Replies that the twins have generated in the period. */
  apiCalls: count,
  /** Messages that the twins have handled in the period. */
  messages: count,
  /** Of all documents and search indexes, now. */
  storageBytes: count,
  twins: count,
  integrations: count,
  /** Every day of the period until today, in order. */
  daily: z.array(z.object({ day: z.string(), messages: count })),
});
export type OrganizationUsage = z.infer<typeof OrganizationUsage>;

export const organizationsApi = {
  stats: endpoint("GET /api/organizations/:orgId/stats", {
    access: "signed-in",
    summary: "Показатели организации",
    params: OrganizationParams,
    output: OrganizationStats,
  }),
  users: endpoint("GET /api/organizations/:orgId/users", {
    access: "org_admin",
    summary: "Участники организации и приглашённые",
    params: OrganizationParams,
    query: SearchQuery,
    output: z.array(Member),
  }),
  invite: endpoint("POST /api/organizations/:orgId/users", {
    access: "org_admin",
    summary: "Пригласить участника",
    params: OrganizationParams,
    input: InviteInput,
    output: Invited,
    status: 201,
  }),
  changeRole: endpoint("PUT /api/organizations/:orgId/users/:userId", {
    access: "org_admin",
    summary: "Сменить роль участника",
    params: MemberParams,
    input: RoleInput,
    output: Member,
  }),
  removeMember: endpoint("DELETE /api/organizations/:orgId/users/:userId", {
    access: "org_admin",
    summary: "Исключить участника или отозвать приглашение",
    params: MemberParams,
    query: RemovalQuery,
  }),
  holdings: endpoint("GET /api/organizations/:orgId/users/:userId/holdings", {
    access: "org_admin",
    summary: "Что есть у участника: двойники, ключи, вебхуки, интеграции",
    params: MemberParams,
    output: MemberHoldings,
  }),
  twins: endpoint("GET /api/organizations/:orgId/digital-twins", {
    access: "signed-in",
    summary: "Двойники организации",
    params: OrganizationParams,
    query: PortionQuery,
    output: z.array(OrganizationTwin),
  }),
  subscription: endpoint("GET /api/organizations/:orgId/subscription", {
    access: "signed-in",
    summary: "Подписка организации",
    params: OrganizationParams,
    output: Subscription,
  }),
  choosePlan: endpoint("PUT /api/organizations/:orgId/subscription", {
    access: "org_admin",
    summary: "Выбрать план: бесплатный действует сразу, для платного выставляется счёт",
    params: OrganizationParams,
    input: PlanChoice,
    output: Subscription,
  }),
  usage: endpoint("GET /api/organizations/:orgId/usage", {
    access: "signed-in",
    summary: "Использование за месяц",
    params: OrganizationParams,
    output: OrganizationUsage,
  }),
  payments: endpoint("GET /api/organizations/:orgId/payments", {
    access: "org_admin",
    summary: "Счета организации",
    params: OrganizationParams,
    query: PortionQuery,
    output: z.array(Payment),
  }),
  publicPlans: endpoint("GET /api/public-plans", {
    access: "public",
    summary: "Тарифы, как их видит любой посетитель",
    output: z.array(PublicPlan),
  }),
  plans: endpoint("GET /api/subscription-plans", {
    access: "signed-in",
    summary: "Планы, которые можно выбрать",
    output: z.array(SubscriptionPlan),
  }),
};

/** What the page behind an invitation's link shows: it is for the owner of the mailbox alone. */
export const InvitationView = z.object({
  email: z.string(),
  firstName: z.string(),
  organizationName: z.string(),
  role: Role,
  /** True: the account's own password is asked for; false: a new one makes the account. */
  hasAccount: z.boolean(),
  /** The account's address was never confirmed: `startClean` with a new password replaces it. */
  mayStartClean: z.boolean(),
});
export type InvitationView = z.infer<typeof InvitationView>;

/** A person who is signed in with the invitation's e-mail needs no password. */
export const AcceptInput = z.object({
  token: OneTimeToken,
  password: z.optional(NewPassword),
  /** Somebody else has registered with the address and never confirmed it: all that was made there goes, `password` is new. */
  startClean: z.optional(z.boolean()),
});

export const invitationsApi = {
  look: endpoint("POST /api/auth/invitation", {
    access: "public",
    summary: "Что за приглашение открыто по ссылке",
    input: z.object({ token: OneTimeToken }),
    output: InvitationView,
  }),
  accept: endpoint("POST /api/auth/invitation/accept", {
    access: "public",
    summary: "Принять приглашение и войти",
    input: AcceptInput,
    output: SignInResult,
  }),
};
