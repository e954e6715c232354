/**
 * The plans of a new installation: the source for the landing page, for samples and for the first rows of the database (a test compares
 * them). Platform administrators may change the rows, which then take precedence.
 */
interface DefaultPlan {
  id: string;
  name: string;
  description: string;
  price: number;
  priceFrom?: true;
  /**
   * Limits that the plan names. They are not enforced (docs/decisions/039-screens-beside-the-specification.md), so an account does not show
   * them.
   */
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

/** Everything that a plan lists, in the specification's order. */
export const listedBy = ({ limits, features }: DefaultPlan): string[] => [...limits, ...features];

const LIMITS = new Set<string>(defaultPlans.flatMap(({ limits }) => limits));

/** Features of a plan that an account shows, without the limits, which are not enforced. */
export const withoutLimits = (features: readonly string[]): string[] => features.filter((one) => !LIMITS.has(one));

const FROM = new Set<string>(defaultPlans.filter((plan) => "priceFrom" in plan).map(({ id }) => id));

export const isPriceFrom = (planId: string): boolean => FROM.has(planId);
