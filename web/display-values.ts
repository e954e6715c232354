// Fixed figures that the specification requires on screens; nothing here is measured, and no other file may repeat them. Names,
// features and prices of plans are in the contract, because accounts and the database use them too.

import { defaultPlans, isPriceFrom, listedBy } from "#contract/plans/default-plans.ts";

export const notificationBadge = 3;
export const sideBadges = { twins: 3, conversations: 12 } as const;

export const planCard = {
  name: "Pro Plan",
  used: "2,847",
  limit: "10,000",
  percent: 28,
} as const;

export const userCard = {
  name: "Пользователь",
  caption: "Pro Plan",
  initial: "П",
} as const;

export const dashboardDefaults = {
  twinsShown: 3,
  activitiesShown: 5,
  countUpMs: 2000,
  accuracy: 0.9,
  /** Subtracted from a figure to get the synthetic previous value; accuracy is in percentage points. */
  previous: { totalTwins: 1, activeTwins: 1, totalMessages: 50, accuracyPercent: 2 },
} as const;

export const twinPerformance = { messages: "2,347", styleAccuracyPercent: 89 } as const;
export const trainingReadinessPercent = 85;
export const crmConversionRate = "23.5%";
export const conversationResponseTime = "2.3s";
/** Range, inclusive, of the placeholder for a conversation's message count when the server sends none. */
export const inventedMessageCount = { from: 10, to: 59 } as const;
export const analyticsBarScale = 250;

export const marketingClaims = {
  heroClients: "10,000+",
  sectionCompanies: "50,000+",
  rating: "4.9/5",
  deploymentMinutes: 5,
} as const;

/** Only the landing page shows the limits of plans, which are not enforced (docs/decisions/039-screens-beside-the-specification.md). */
export const NO_LIMITS = "Число двойников и\u00a0сообщений сейчас не\u00a0ограничено ни\u00a0на\u00a0одном плане.";

/** Formats an amount of the plans and invoices as the specification does in both languages: «₽4,999». */
export const formatRoubles = (value: number) => `₽${value.toLocaleString("en-US", { maximumFractionDigits: 0 })}`;

/** Returns «Бесплатно», «₽4,999» or «от ₽25,000». */
export const planPrice = (price: number, from: boolean): string =>
  price === 0 ? "Бесплатно" : `${from ? "от " : ""}${formatRoubles(price)}`;

const landingActs = {
  starter: { action: "start" },
  business: { action: "start", popular: true },
  enterprise: { action: "contact" },
} as const;

export const pricingPlans: readonly PricingPlan[] = defaultPlans.map((plan) => ({
  id: plan.id,
  name: plan.name,
  about: plan.description,
  price: planPrice(plan.price, isPriceFrom(plan.id)),
  ...(plan.price > 0 ? { period: "в месяц" } : {}),
  features: listedBy(plan),
  ...landingActs[plan.id],
}));

export interface PricingPlan {
  id: string;
  name: string;
  about: string;
  price: string;
  period?: string;
  popular?: true;
  features: readonly string[];
  /** Action of the plan's button: registration, or a message to the team. */
  action: "start" | "contact";
}

export const telegramImport = { dialogsLimit: 10, messagesPerDialog: 500 } as const;
/** Percentages of the handled messages that count as leads and as deals, rounded down. */
export const crmShares = { leadsPercent: 10, dealsPercent: 5 } as const;

/** Limits that the admin areas compare usage with. They are samples that are not enforced. */
export const planLimits = {
  apiCalls: { text: "50,000", value: 50_000 },
  messages: { text: "100,000", value: 100_000 },
  storage: { text: "10 GB", value: 10 * 1024 ** 3 },
} as const;
export const planFeaturesShown = 3;
