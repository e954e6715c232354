import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { askedTypes, isTypeWord } from "#server/knowledge/language/question/answer-type.ts";
import { bareQuestion } from "#server/knowledge/language/question/bare-question.ts";
import { followUpOf, joinFollowUp, mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords, jointQuestions } from "#server/knowledge/language/question/question-parts.ts";
import { phrasesOf } from "#server/knowledge/language/question/question-phrases.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { FUNCTION_WORDS, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { type AskedQuestion, generalQuestion } from "./detect-fact.ts";

/** Maximum length in characters; a longer topic is a story. */
const LONGEST_TOPIC = 60;

/** Returns the questions that are not specific to their asker. @param before the same person's preceding message in this conversation */
export function findAskedQuestions(incoming: string, before: string | null): AskedQuestion[] {
  const history: HistoryTurn[] = before === null ? [] : [{ role: "user", content: before }];
  const found: AskedQuestion[] = [];
  for (const piece of incoming.split("\n").flatMap(splitSentences).flatMap(cutAtSmiles).flatMap(jointQuestions)) {
    const whole = wantOf(piece) === "question" || askedTypes(piece).length > 0 ? standing(history, piece) : null;
    const types = whole === null ? null : generalQuestion(whole);
    const text = types === null ? "" : bareQuestion(whole!);
    if (text !== "") found.push({ text, types: types! });
    history.push({ role: "user", content: piece });
  }
  return found;
}

/** In messengers a smile ends a sentence: «Класс) а доставка есть?». */
const cutAtSmiles = (sentence: string): string[] =>
  sentence.includes("(") ? [sentence] : sentence.split(/(?<=\p{L}\){1,3})\s+/u);

/** Completes the piece to a self-contained sentence; null if that is impossible. */
function standing(history: readonly HistoryTurn[], piece: string): string | null {
  const before = followUpOf(history, piece);
  if (before === null || before.form === "own") return piece;
  const { things } = phrasesOf(piece);
  // «и до скольки аренда?» already names its subject and answer type.
  if (things.length > 0 && askedTypes(piece).length > 0) return piece;
  const amount = withAmount(before.asked, piece);
  if (amount !== null) return amount;
  if (before.form === "bare") {
    // «а на субботу сколько?» repeats the previous question.
    const put =
      things.length > 0 ? piece : piece.replace(/\p{L}+/gu, (word) => (isTypeWord(wordsOf(word)[0]!) ? "" : word));
    return contentWords(before.question).length > 0 ? joinFollowUp(before, put.replace(/\s+/gu, " ")) : null;
  }
  const topic = topicOf(before.asked);
  return topic === null ? null : `${topic} — ${lowered(bareQuestion(piece))}`;
}

const COUNTED = /(\d{1,6}(?:[.,]\d{1,3})?)\s?(\p{L}{1,12})/gu;

/** Repeats the previous question with another amount: «Сколько стоит торт на 3 кг?», «А на 2 кг?». */
function withAmount(before: string, piece: string): string | null {
  const [amounts, others] = [[...before.matchAll(COUNTED)], [...piece.matchAll(COUNTED)]];
  const [known, now] = [amounts[0], others[0]];
  const same =
    amounts.length === 1 && others.length === 1 && stemOf(known![2]!.toLowerCase()) === stemOf(now![2]!.toLowerCase());
  return same ? before.replace(known![0], now![0]) : null;
}

/** Returns the topic, «торт на 3 кг» of «Сколько стоит торт на 3 кг?»; null if the rest is itself a question or names nothing. */
function topicOf(asked: string): string | null {
  const words = bareQuestion(asked).slice(0, -1).split(/\s+/);
  const asks = (word: string) => isTypeWord(word) || (askedTypes(asked).length > 0 && FUNCTION_WORDS.has(word));
  while (words.length > 0 && asks(words[0]!.toLowerCase().replaceAll("ё", "е"))) words.shift();
  const topic = words.join(" ");
  if (topic.length > LONGEST_TOPIC || contentWords(topic).length === 0 || askedTypes(topic).length > 0) return null;
  // «Это снова я» refers to something outside itself.
  return mayDependOnContext(topic) ? null : `${topic[0]!.toUpperCase()}${topic.slice(1)}`;
}

const lowered = (question: string) => `${question[0]?.toLowerCase() ?? ""}${question.slice(1)}`;
