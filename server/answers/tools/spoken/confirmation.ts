/** Whether a message says yes or no to what was asked. Only whole short messages count: a longer one says something else. */
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";

const YES = new Set(
  "да ага угу ок окей хорошо ладно верно правильно точно именно конечно подтверждаю согласен согласна подходит годится пойдет норм нормально супер отлично устраивает yes ok okay sure ya yep".split(
    " ",
  ),
);
const NO = new Set("нет не неа отмена отбой передумал передумала стоп ненадо no nope".split(" "));
/** What may stand beside a yes or a no without asking for something else or making a condition, as «но», «если» and «потом» do. */
const BESIDES = new Set(
  "а и вот в на к с до по пусть теперь все так ну же тогда это можно мне меня нам нас я мы уже уж надо нужно всем спасибо спс пожалуйста пжл плиз please буду жду щас сейчас стойте стой подождите подожди погодите погоди извините сорри".split(
    " ",
  ),
);
/** Asks to do it: «записывайте», «оформляй». */
const IMPERATIVE = /(?:йте|ите|ьте|ай|яй|уй|юй|иши|ори|иди)$/u;
/** Asks to undo it, unless the tool itself does so. */
const UNDOES =
  /^(?:отмен|отказ|удал|убер|убир|останов|прекрат|подожд|погод|сто[йп]|заб[уы]|измен|поменя|перен|исправ)/u;
const MAX_WORDS = 6;

/** @param asked what will be done: the tool's title and the values of the call */
export function confirmationIn(message: string, asked: string): "yes" | "no" | null {
  const text = message.trim();
  if (text === "+" || text === "👍") return "yes";
  if (text.includes("?") || /\d/.test(text)) return null;
  const said = wordsOf(text);
  if (said.length === 0 || said.length > MAX_WORDS) return null;
  const stems = new Set(
    wordsOf(asked)
      .map(stemOf)
      .filter((stem) => stem !== ""),
  );
  const isOfTool = (word: string) => stems.has(stemOf(word)) || [...stems].some((stem) => sharesRoot(stem, word));
  const isNeutral = (word: string) => BESIDES.has(word) && !NO.has(word);
  if (said.some((word) => NO.has(word)))
    return said.every((word, at) => NO.has(word) || isNeutral(word) || UNDOES.test(word) || isRefused(said, at))
      ? "no"
      : null;
  const asksToDo = (word: string) => IMPERATIVE.test(word) && (!UNDOES.test(word) || isOfTool(word));
  const isYes = said.some((word) => YES.has(word) || asksToDo(word));
  return isYes && said.every((word) => YES.has(word) || isNeutral(word) || asksToDo(word) || isOfTool(word))
    ? "yes"
    : null;
}

/** «не записывайте» */
const isRefused = (said: readonly string[], at: number): boolean => said[at - 1] === "не" && IMPERATIVE.test(said[at]!);

/** Letters that words of one root share: «бронь» and «забронировать», «звонит» and «звонок». */
const ROOT = 4;
const sharesRoot = (stem: string, word: string): boolean =>
  word.length >= ROOT && stem.length >= ROOT && stem.includes(word.slice(0, ROOT));
