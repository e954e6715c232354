/** Whether a message says yes or no to what was asked. Only whole short messages count: a longer one says something else. */
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";

const YES = new Set(
  "да ага угу ок окей хорошо верно конечно подтверждаю согласен согласна подходит записывайте запишите записывай запиши отменяйте отмените оформляйте оформите меняйте измените делайте давайте давай yes ok ya yep +".split(
    " ",
  ),
);
const NO = new Set("нет не неа отмена отбой передумал передумала стоп ненадо no nope".split(" "));
const BESIDES = new Set(
  "да все всё верно правильно так именно пожалуйста спасибо можно записывайте запишите подтверждаю хорошо ок я согласен согласна подходит нужно надо давайте конечно please точно меня это".split(
    " ",
  ),
);
const MAX_WORDS = 5;

export function confirmationIn(message: string): "yes" | "no" | null {
  const text = message.trim();
  if (text === "+" || text === "👍") return "yes";
  if (text.includes("?") || /\d/.test(text)) return null;
  const words = wordsOf(text);
  if (words.length === 0 || words.length > MAX_WORDS) return null;
  if (words.some((word) => NO.has(word))) return NO.has(words[0]!) ? "no" : null;
  return YES.has(words[0]!) && words.slice(1).every((word) => YES.has(word) || BESIDES.has(word)) ? "yes" : null;
}
