/**
 * The plans that a new installation has: the source of what the landing page prints, of the samples and of the first rows of the
 * database (a test compares them). The platform's administrators may change the rows; what is read from the server holds then.
 */
export interface DefaultPlan {
  id: string;
  name: string;
  description: string;
  /** Roubles a month. */
  price: number;
  /** The price is where it begins; the rest is agreed on. */
  priceFrom?: true;
  /** How much of something it names. Nothing enforces that (docs/decisions/050), so an account does not show it. */
  limits: readonly string[];
  features: readonly string[];
}

export const defaultPlans = [
  {
    id: "starter",
    name: "Starter",
    description: "Чтобы попробовать",
    price: 0,
    limits: ["1 двойник", "100 сообщений в месяц"],
    features: ["Базовая аналитика", "Поддержка по e-mail"],
  },
  {
    id: "business",
    name: "Business",
    description: "Для растущей команды",
    price: 4999,
    limits: ["5 агентов", "10,000 сообщений в месяц"],
    features: ["Расширенная аналитика", "CRM интеграции", "Поддержка 24/7"],
  },
  {
    id: "enterprise",
    name: "Enterprise",
    description: "Для компании",
    price: 25_000,
    priceFrom: true,
    limits: ["Безлимитные агенты и сообщения"],
    features: ["Приватное облако", "Персональный менеджер", "99.9% SLA"],
  },
] as const satisfies readonly DefaultPlan[];

/** All that a plan lists, in the specification's order. */
export const listedBy = ({ limits, features }: DefaultPlan): string[] => [...limits, ...features];

const LIMITS = new Set<string>(defaultPlans.flatMap(({ limits }) => limits));

/** What of a plan's list an account may be told: the rest are limits that nobody enforces. */
export const withoutLimits = (features: readonly string[]): string[] => features.filter((one) => !LIMITS.has(one));

const FROM = new Set<string>(defaultPlans.filter((plan) => "priceFrom" in plan).map(({ id }) => id));

/** Whether the price of this plan is where it begins. */
export const isPriceFrom = (planId: string): boolean => FROM.has(planId);
