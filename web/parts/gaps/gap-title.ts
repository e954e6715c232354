/**
 * A follow-up is stored with the question that it follows, because it is no question without it («Есть капучино? А парковка?»). The title
 * begins with what was left unanswered.
 * @param said the message as it was asked
 * @returns `after`: the earlier question; null when the message is a question of its own
 */
export function gapTitle(question: string, said: string | undefined): { title: string; after: string | null } {
  const own = said?.trim() ?? "";
  if (own === "" || own === question || !question.endsWith(own)) return { title: question, after: null };
  return { title: own, after: question.slice(0, -own.length).trim() };
}
