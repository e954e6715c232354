// Fixed figures that the specification orders to be shown as they are; nothing here is measured and nothing else may repeat them. What
// plans are called, list and cost stands in the contract, for the account and the database have it from there too.
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
  /** What is subtracted from a figure to get the synthetic previous value; accuracy in percent points. */
  previous: { totalTwins: 1, activeTwins: 1, totalMessages: 50, accuracyPercent: 2 },
} as const;

export const twinPerformance = { messages: "2,347", styleAccuracyPercent: 89 } as const;
export const trainingReadinessPercent = 85;
export const crmConversionRate = "23.5%";
export const conversationResponseTime = "2.3s";
/** Stands for a conversation whose count of messages the server does not send; both ends belong to it. */
export const inventedMessageCount = { from: 10, to: 59 } as const;
export const analyticsBarScale = 250;

export const marketingClaims = {
  heroClients: "10,000+",
  sectionCompanies: "50,000+",
  rating: "4.9/5",
  deploymentMinutes: 5,
} as const;

/** The limits of plans are shown on the landing page alone; nobody is stopped at them (docs/decisions/039-screens-beside-the-specification.md). */
export const NO_LIMITS = "Число двойников и\u00a0сообщений сейчас не\u00a0ограничено ни\u00a0на\u00a0одном плане.";

/** As the specification writes a price: «₽4,999». */
export const landingPrice = (price: number, from: boolean): string =>
  price === 0 ? "Бесплатно" : `${from ? "от " : ""}₽${price.toLocaleString("en-US")}`;

const landingActs = {
  starter: { action: "start" },
  business: { action: "start", popular: true },
  enterprise: { action: "contact" },
} as const;

/** The plans as the landing page prints them. */
export const pricingPlans: readonly PricingPlan[] = defaultPlans.map((plan) => ({
  id: plan.id,
  name: plan.name,
  about: plan.description,
  price: landingPrice(plan.price, isPriceFrom(plan.id)),
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
  /** What its button does: registration, or a letter to the team. */
  action: "start" | "contact";
}

/** How much of a Telegram account's history the wizard imports. */
export const telegramImport = { dialogsLimit: 10, messagesPerDialog: 500 } as const;
/** Percent of the handled messages that count as leads and as deals, rounded down. */
export const crmShares = { leadsPercent: 10, dealsPercent: 5 } as const;

/** What the admin areas measure use against; samples that nothing enforces. */
export const planLimits = {
  apiCalls: { text: "50,000", value: 50_000 },
  messages: { text: "100,000", value: 100_000 },
  storage: { text: "10 GB", value: 10 * 1024 ** 3 },
} as const;
/** The first ones stand on a plan's card in /admin. */
export const planFeaturesShown = 3;
