// Fixed figures that the specification orders to be shown as they are; nothing here is computed and nothing else may repeat them.

export const notificationBadge = 3;
export const sideBadges = { twins: 3, dialogues: 12 } as const;

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
export const analyticsBarScale = 250;

export const marketingClaims = {
  heroClients: "10,000+",
  rating: "4.9/5",
  deploymentMinutes: 5,
} as const;
