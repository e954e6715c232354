import type {
  OrganizationSummary,
  PlatformDay,
  PlatformPayment,
  PlatformStats,
} from "#contract/organizations/platform.ts";

// Samples of /admin for when the server returns nothing, and its three permanent sample blocks, all marked with the badge «Пример».

export const sampleStats: PlatformStats = {
  totalOrganizations: 156,
  totalUsers: 2847,
  totalDigitalTwins: 892,
  totalMessages: 45_230,
};

export const sampleActivity = [
  { text: "Новая организация «ТехноСфера»", when: "2 часа назад", tone: "success" },
  { text: "Подписка «Медиа Групп» продлена", when: "4 часа назад", tone: "info" },
  { text: "Создан двойник «Консультант»", when: "вчера", tone: "info" },
  { text: "Превышен предел сообщений у «Старт»", when: "вчера", tone: "warning" },
] as const;

export const sampleHealth = [
  { name: "Сервер API", value: "99.9%", share: 99.9 },
  { name: "База данных", value: "98.5%", share: 98.5 },
  { name: "Очередь задач", value: "97.2%", share: 97.2 },
] as const;

export const sampleRevenue = [
  { name: "Выручка за месяц", value: "₽1,245,000" },
  { name: "Рост к прошлому месяцу", value: "+12.5%" },
  { name: "Средний чек", value: "₽7,980" },
] as const;

export interface SampleOrganization extends OrganizationSummary {
  state: "Active" | "Trial";
}

export const sampleOrganizations: SampleOrganization[] = (
  [
    ["1", "ТехноСфера", 45, 12, 12_400, "Enterprise", "Active"],
    ["2", "Медиа Групп", 23, 8, 5820, "Business", "Active"],
    ["3", "Старт", 4, 1, 96, "Starter", "Trial"],
  ] as const
).map(([id, name, users, twins, messages, planName, state]) => ({
  id,
  name,
  users,
  twins,
  messages,
  planName,
  state,
  createdAt: "2025-09-01T09:00:00.000Z",
}));

export const sampleInvoices: PlatformPayment[] = [
  {
    id: "1",
    organizationId: "2",
    organizationName: "Медиа Групп",
    planId: "enterprise",
    planName: "Enterprise",
    amount: 25_000,
    status: "pending",
    createdAt: "2025-11-12T09:00:00.000Z",
    paidAt: null,
  },
];

export const sampleDays: PlatformDay[] = [
  [3120, 14],
  [3480, 22],
  [2950, 11],
  [3610, 19],
  [4020, 27],
  [2210, 8],
  [1980, 6],
  [3340, 17],
  [3720, 21],
  [3890, 24],
  [4150, 30],
  [4310, 26],
  [2400, 9],
  [2050, 7],
].map(([messages = 0, newUsers = 0], n) => ({ day: `2025-11-${String(n + 1).padStart(2, "0")}`, messages, newUsers }));
