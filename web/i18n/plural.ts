import { LOCALE } from "./locale.ts";

const rules = new Intl.PluralRules(LOCALE);
const number = new Intl.NumberFormat(LOCALE);

/**
 * Forms for one, for two to four (and fractions), and for many: `["сообщение", "сообщения", "сообщений"]`. A language with two forms
 * repeats the second, which is used for every count but one.
 */
export type Forms = readonly [one: string, few: string, many: string];

export function pluralForm(count: number, [one, few, many]: Forms): string {
  const category = rules.select(count);
  if (category === "one") return one;
  return category === "many" ? many : few;
}

/** Returns «1 234 сообщения», joined by a no-break space. */
export function plural(count: number, forms: Forms): string {
  return `${number.format(count)}\u00a0${pluralForm(count, forms)}`;
}
