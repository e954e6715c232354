/** Whether a question is negated: «что вы не возите?» is the opposite of «что вы возите?». */
const NEGATES = /(?<!\p{L})(?:не|ни|нельзя|никак|never|not|don't|doesn't|can't|won't)(?!\p{L})/iu;
/** Polite phrases with «не» that negate nothing: «не подскажете ли», «не могли бы вы». */
const POLITE =
  /(?<!\p{L})не\s{1,3}(?:подскаж|скаж|мог(?:ли|ла)\s{1,3}бы|найд|затрудн|знаете|против)\p{L}{0,8}|(?<!\p{L})(?:if|why)\s{1,3}not(?!\p{L})/giu;

export const negates = (text: string): boolean => NEGATES.test(text.replace(POLITE, " "));
