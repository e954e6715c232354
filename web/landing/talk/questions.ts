/** The last one is answered nowhere in the shop's documents: what a twin does then is worth seeing. */
export const QUESTIONS: readonly string[] = [
  "Сколько стоит доставка на Дальний Восток?",
  "Вы мелете кофе?",
  "Сколько лет вашему директору?",
];

// In a set, because a translation leaves that as it is.
const RUSSIAN = new Set([
  "Сколько стоит доставка на Дальний Восток?",
  "Вы мелете кофе?",
  "Сколько лет вашему директору?",
]);

/** The shop reads Russian: a ready question of an English page reaches it as it was written. */
export function asShopReads(question: string): string {
  const at = QUESTIONS.indexOf(question);
  return [...RUSSIAN][at] ?? question;
}
