import type {
  Member,
  OrganizationStats,
  OrganizationTwin,
  OrganizationUsage,
  Payment,
  Subscription,
} from "#contract/organizations/organizations.ts";
import { samplePlans } from "#web/parts/plans/sample-plans.ts";

// Sample data for /org-admin when the server has returned nothing; always marked with the badge «Пример».

const at = (day: string) => `2025-${day}T09:00:00.000Z`;

export const sampleStats: OrganizationStats = {
  totalUsers: 24,
  digitalTwins: 8,
  totalMessages: 12_847,
  activeIntegrations: 5,
};

export const sampleSubscription: Subscription = {
  plan: samplePlans[1]!,
  status: "active",
  since: at("09-01"),
  pending: null,
};

export const sampleMembers: Member[] = (
  [
    ["1", "Анна", "Петрова", "anna@example.com", "org_admin", 3],
    ["2", "Иван", "Смирнов", "ivan@example.com", "user", 2],
    ["3", "Мария", "Козлова", "maria@example.com", "viewer", 0],
  ] as const
).map(([id, firstName, lastName, email, role, twins]) => ({
  id,
  firstName,
  lastName,
  email,
  username: null,
  role,
  status: "active",
  twins,
  createdAt: at("09-01"),
}));

export const sampleTwins: OrganizationTwin[] = (
  [
    ["1", "Отдел продаж", "ready", "Анна Петрова", 5231],
    ["2", "Поддержка клиентов", "ready", "Иван Смирнов", 4102],
    ["3", "HR-консультант", "training", "Анна Петрова", 0],
  ] as const
).map(([id, name, status, ownerName, messages]) => ({
  id,
  name,
  status,
  isActive: status === "ready",
  ownerName,
  messages,
  createdAt: at("10-01"),
}));

export const samplePayments: Payment[] = (["11-01", "10-01", "09-01"] as const).map((day) => ({
  id: day,
  planId: "business",
  planName: "Business",
  amount: samplePlans[1]!.price,
  status: "paid",
  createdAt: at(day),
  paidAt: at(day),
}));

export const sampleUsage: OrganizationUsage = {
  since: "2025-11-01",
  apiCalls: 12_450,
  messages: 28_470,
  storageBytes: 2.4 * 1024 ** 3,
  twins: 8,
  integrations: 5,
  daily: [820, 1240, 1105, 1390, 960, 430, 510].map((messages, n) => ({ day: `2025-11-0${n + 1}`, messages })),
};
