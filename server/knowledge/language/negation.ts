/** Whether a question is negated: «что вы не возите?» is the opposite of «что вы возите?». */
const NEGATES = /(?<!\p{L})(?:не|ни|нельзя|никак|never|not|don't|doesn't|can't|won't)(?!\p{L})/iu;
/** Polite phrases with «не» that negate nothing: «не подскажете ли», «не могли бы вы». */
const POLITE =
  /(?<!\p{L})не\s{1,3}(?:подскаж|скаж|мог(?:ли|ла)\s{1,3}бы|найд|затрудн|знаете|против)\p{L}{0,8}|(?<!\p{L})(?:if|why)\s{1,3}not(?!\p{L})/giu;

export const negates = (text: string): boolean => NEGATES.test(text.replace(POLITE, " "));

/** Whether a heading or an introduction turns what follows into its opposite: «Чего не ремонтируем:», «Исключения». */
export function denies(text: string): boolean {
  const said = text.replace(PURPOSE, " ");
  return negates(said) || DENIES.test(said);
}
/** «чтобы не забыть» denies nothing. */
const PURPOSE = /(?<!\p{L})чтобы?\s{1,3}не(?!\p{L})/giu;
const DENIES =
  /(?<!\p{L})(?:запрещ\p{L}{1,8}|исключ\p{L}{1,8}|кроме|противопоказ\p{L}{1,8}|отказ\p{L}{1,8}|except|excluded)(?!\p{L})/iu;
