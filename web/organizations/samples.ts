import type {
  Member,
  OrganizationStats,
  OrganizationTwin,
  OrganizationUsage,
  Payment,
  Subscription,
  SubscriptionPlan,
} from "#contract/organizations.ts";

// What stands on /org-admin where the server returns nothing; always under the badge «Пример».

const at = (day: string) => `2025-${day}T09:00:00.000Z`;

export const sampleStats: OrganizationStats = {
  totalUsers: 24,
  digitalTwins: 8,
  totalMessages: 12_847,
  activeIntegrations: 5,
};

export const samplePlans: SubscriptionPlan[] = [
  {
    id: "starter",
    name: "Starter",
    description: "Чтобы попробовать",
    price: 0,
    billingPeriod: "month",
    isActive: true,
    features: ["1 двойник", "100 сообщений в месяц", "Базовая аналитика", "Поддержка по e-mail"],
  },
  {
    id: "business",
    name: "Business",
    description: "Для растущей команды",
    price: 4999,
    billingPeriod: "month",
    isActive: true,
    features: ["5 агентов", "10,000 сообщений в месяц", "Расширенная аналитика", "CRM интеграции", "Поддержка 24/7"],
  },
  {
    id: "enterprise",
    name: "Enterprise",
    description: "Для компании",
    price: 25_000,
    billingPeriod: "month",
    isActive: false,
    features: ["Безлимитные агенты и сообщения", "Приватное облако", "Персональный менеджер", "99.9% SLA"],
  },
];

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
  amount: 4999,
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
