import type { HistoryTurn } from "#server/language/history-turn.ts";
import { FUNCTION_WORDS, wordsOf } from "./lexicon.ts";
import { wantOf, withoutOpening } from "./question.ts";
import { smallTalkOf } from "./small-talk.ts";

const LEANING = /^(?:а|и|но|ну|тогда|так|еще|and|what about|how about)(?!\p{L})/iu;
const POINTING = new Set(
  "он она оно они его ее их ему ей им это этот эта эти этого этой этому этим этих там туда тогда такой такая такие столько него нее них ней it they this that these those there he she them".split(
    " ",
  ),
);

/**
 * What to search for. A message that leans on what was asked before («а по Москве?», «сколько это стоит?») is joined
 * with the last question of the same person; any other stands alone.
 */
export function contextualQuery(history: readonly HistoryTurn[], message: string): string {
  const before = leansOn(history, message);
  return before === null ? message.trim() : `${before} ${message.trim()}`;
}

/** The earlier question of the same person that the message leans on; null where it stands alone. */
export function leansOn(history: readonly HistoryTurn[], message: string): string | null {
  if (history.length === 0) return null;
  const text = message.trim();
  if (!leans(text) || smallTalkOf(text) !== null) return null;
  for (let i = history.length - 1, seen = 0; i >= 0 && seen < 4; i--) {
    const turn = history[i]!;
    if (turn.role !== "user") continue;
    seen++;
    // «а по Казани?» after «а по Москве?» still asks about what was asked first.
    if (smallTalkOf(turn.content) !== null || wantOf(turn.content) === "statement" || leans(turn.content.trim()))
      continue;
    return turn.content.trim();
  }
  return null;
}

function leans(text: string): boolean {
  const words = withoutOpening(wordsOf(text));
  const content = words.filter((word) => !FUNCTION_WORDS.has(word) && word.length > 2);
  if (content.length > 5) return false;
  if (LEANING.test(text)) return content.length <= 4;
  if (words.some((word) => POINTING.has(word))) return true;
  return content.length <= 1 && wantOf(text) === "question";
}
