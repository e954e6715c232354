/** The last question is answered nowhere in the shop's documents, to show what a twin does then. */
export const QUESTIONS: readonly string[] = [
  "Сколько стоит доставка на Дальний Восток?",
  "Вы мелете кофе?",
  "Сколько лет вашему директору?",
];

// A set of strings, because the translation of the page leaves sets unchanged.
const RUSSIAN = new Set([
  "Сколько стоит доставка на Дальний Восток?",
  "Вы мелете кофе?",
  "Сколько лет вашему директору?",
]);

/** Returns the Russian original of a ready-made question, because the shop's twin understands Russian. */
export function asShopReads(question: string): string {
  const at = QUESTIONS.indexOf(question);
  return [...RUSSIAN][at] ?? question;
}
