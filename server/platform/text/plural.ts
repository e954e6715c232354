const RULES = new Intl.PluralRules("ru");

/** Chooses the Russian plural form for a number: [сообщение, сообщения, сообщений] for 1, 2 and 5. */
export function pluralForm(count: number, [one, few, many]: readonly [string, string, string]): string {
  const rule = RULES.select(count);
  return rule === "one" ? one : rule === "few" ? few : many;
}
