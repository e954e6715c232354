import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { BillingPeriod, SubscriptionPlan } from "../plans/plans.ts";
import { PLATFORM } from "../tags.ts";
import { Email, MailTransport } from "./auth.ts";
import {
  Invited,
  InviteInput,
  Member,
  MemberResources,
  PageQuery,
  Payment,
  PaymentStatus,
  PlanId,
  RemovalQuery,
  RoleInput,
  SearchQuery,
  Subscription,
} from "./organizations.ts";

const id = () => z.uuid("Неверный идентификатор");
const IdParams = z.object({ id: id() });
const AnyMemberParams = z.object({ id: id(), userId: id() });
const text = (max: number, empty: string, tooLong: string) =>
  z.string(empty).check(z.trim(), z.minLength(1, empty), z.maxLength(max, tooLong));

export const PlatformStats = z.object({
  totalOrganizations: z.number(),
  totalUsers: z.number(),
  totalDigitalTwins: z.number(),
  totalMessages: z.number(),
});
export type PlatformStats = z.infer<typeof PlatformStats>;

/** Figures of the whole platform for one day (YYYY-MM-DD, Moscow time). */
export const PlatformDay = z.object({ day: z.string(), messages: z.number(), newUsers: z.number() });
export type PlatformDay = z.infer<typeof PlatformDay>;
export const PLATFORM_DAYS = 14;

export const PlanInput = z.object({
  name: text(60, "Укажите название плана", "Слишком длинное название"),
  description: z.string("Укажите описание").check(z.trim(), z.maxLength(300, "Слишком длинное описание")),
  price: z
    .int("Цена — целое число рублей")
    .check(z.minimum(0, "Цена не может быть отрицательной"), z.maximum(100_000_000, "Слишком большая цена")),
  billingPeriod: BillingPeriod,
  isActive: z.boolean("Ожидалось true или false"),
  features: z
    .array(text(200, "Возможность не может быть пустой", "Слишком длинная возможность"))
    .check(z.maxLength(30, "Не больше 30 возможностей")),
});
export type PlanInput = z.infer<typeof PlanInput>;

export const OrganizationName = text(200, "Укажите название организации", "Слишком длинное название");
export const OrganizationSummary = z.object({
  id: z.string(),
  name: z.string(),
  users: z.number(),
  twins: z.number(),
  messages: z.number(),
  planName: z.string(),
  createdAt: z.string(),
});
export type OrganizationSummary = z.infer<typeof OrganizationSummary>;

export const OrganizationDetail = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  subscription: Subscription,
});
export type OrganizationDetail = z.infer<typeof OrganizationDetail>;

export const NewOrganizationInput = z.object({
  name: OrganizationName,
  /** Address of the first administrator, who receives an invitation by email. */
  email: Email,
});
export const OrganizationChange = z
  .object({ name: z.optional(OrganizationName), planId: z.optional(PlanId) })
  .check(z.refine((change) => change.name !== undefined || change.planId !== undefined, "Нечего изменить"));
export type OrganizationChange = z.infer<typeof OrganizationChange>;

export const PlatformPayment = z.extend(Payment, { organizationId: z.string(), organizationName: z.string() });
export type PlatformPayment = z.infer<typeof PlatformPayment>;

const access = "super_admin";
export const adminApi = {
  stats: endpoint("GET /api/admin/platform/stats", {
    access,
    tags: ["platform"],
    summary: "Итоги платформы",
    output: PlatformStats,
  }),
  daily: endpoint("GET /api/admin/platform/daily", {
    access,
    tags: ["platform"],
    summary: "Платформа по дням",
    output: z.array(PlatformDay),
  }),
  plans: endpoint("GET /api/admin/subscription-plans", {
    access,
    tags: ["platform"],
    summary: "Все планы, и отключённые",
    output: z.array(SubscriptionPlan),
  }),
  changePlan: endpoint("PUT /api/admin/subscription-plans/:id", {
    access,
    refreshes: PLATFORM,
    summary: "Изменить план",
    params: z.object({ id: PlanId }),
    input: PlanInput,
    output: SubscriptionPlan,
  }),
  organizations: endpoint("GET /api/admin/organizations", {
    access,
    tags: ["platform"],
    summary: "Организации, новые первыми",
    query: SearchQuery,
    output: z.array(OrganizationSummary),
  }),
  addOrganization: endpoint("POST /api/admin/organizations", {
    access,
    refreshes: PLATFORM,
    summary: "Добавить организацию и пригласить её администратора",
    input: NewOrganizationInput,
    output: z.extend(OrganizationSummary, { letter: MailTransport }),
    status: 201,
  }),
  organization: endpoint("GET /api/admin/organizations/:id", {
    access,
    tags: ["platform"],
    summary: "Одна организация",
    params: IdParams,
    output: OrganizationDetail,
  }),
  changeOrganization: endpoint("PUT /api/admin/organizations/:id", {
    access,
    refreshes: PLATFORM,
    summary: "Переименовать организацию или сменить ей план",
    params: IdParams,
    input: OrganizationChange,
    output: OrganizationDetail,
  }),
  members: endpoint("GET /api/admin/organizations/:id/users", {
    access,
    tags: ["platform"],
    summary: "Участники любой организации и приглашённые",
    params: IdParams,
    query: SearchQuery,
    output: z.array(Member),
  }),
  inviteMember: endpoint("POST /api/admin/organizations/:id/users", {
    access,
    refreshes: PLATFORM,
    summary: "Пригласить участника в любую организацию",
    params: IdParams,
    input: InviteInput,
    output: Invited,
    status: 201,
  }),
  changeMemberRole: endpoint("PUT /api/admin/organizations/:id/users/:userId", {
    access,
    refreshes: PLATFORM,
    summary: "Сменить роль участника любой организации",
    params: AnyMemberParams,
    input: RoleInput,
    output: Member,
  }),
  removeMember: endpoint("DELETE /api/admin/organizations/:id/users/:userId", {
    access,
    refreshes: PLATFORM,
    summary: "Исключить участника любой организации",
    params: AnyMemberParams,
    query: RemovalQuery,
  }),
  memberResources: endpoint("GET /api/admin/organizations/:id/users/:userId/holdings", {
    access,
    tags: ["platform"],
    summary: "Что есть у участника любой организации",
    params: AnyMemberParams,
    output: MemberResources,
  }),
  payments: endpoint("GET /api/admin/payments", {
    access,
    tags: ["platform"],
    summary: "Счета всех организаций, новые первыми",
    query: z.extend(PageQuery, { status: z.optional(PaymentStatus) }),
    output: z.array(PlatformPayment),
  }),
  settlePayment: endpoint("PUT /api/admin/payments/:id", {
    access,
    refreshes: PLATFORM,
    summary: "Отметить счёт оплаченным или отменить его",
    params: IdParams,
    input: z.object({ status: z.enum(["paid", "cancelled"], "Выберите «оплачен» или «отменён»") }),
    output: PlatformPayment,
  }),
};
