/** Chooses the sentences of an answer: the best with those needed to understand it, without markup. */

import { tableCells } from "#server/knowledge/documents/table-row.ts";
import { LIST_MARK } from "#server/knowledge/language/list-lines.ts";
import type { QuestionPart } from "#server/knowledge/language/question/question-parts.ts";
import type { Candidate, Sentence } from "./candidate.ts";
import { withoutMarkup } from "./markup.ts";
import { recordOf } from "./quotation.ts";

/** A sentence that begins like this refers to the previous one. */
const LEANS_BACK =
  /^(?:он|она|оно|они|его|ее|её|их|ему|ей|им|это|этот|эта|эти|этого|этой|такой|такая|такое|такие|поэтому|также|кроме того|при этом|однако|тогда|там|дальше|обратно|it|they|he|she|this|these|those|its|their|also|however|therefore)(?!\p{L})/iu;
const LISTS = /(?<!\p{L})(?:что|какие|какой|перечень|список|состав|продукты|how|what)(?!\p{L})/iu;
const LONGEST_LIST = 600;
const LONGEST_ANSWER = 240;

const lengthOf = (sentences: readonly Sentence[]) => sentences.reduce((sum, { text }) => sum + text.length, 0);

/** Returns the best sentence with those needed to understand it, and neighbours that answer the rest of the question. */
export function addNeededSentences(
  best: Candidate,
  candidates: readonly Candidate[],
  part: QuestionPart,
  limit: number,
): Sentence[] {
  const { sentence } = best;
  const inChunk = candidates.map((one) => one.sentence).filter((one) => one.chunk === sentence.chunk);
  if (/:\s*$/.test(sentence.text)) return [sentence, ...itemsAfter(inChunk, sentence)];
  const announced = candidates.findLast(
    (one) => one.sentence.chunk === sentence.chunk && one.sentence.at < sentence.at && !one.sentence.isListItem,
  );
  if (sentence.isListItem && announced !== undefined && announced.own > best.own && /:$/.test(announced.sentence.text))
    return [announced.sentence, ...itemsAfter(inChunk, announced.sentence)];
  const items = inChunk.filter((one) => one.isListItem);
  // When the heading asks the question, the whole list is the answer: «Что взять с собой?».
  if (
    sentence.isListItem &&
    best.heading > best.own &&
    LISTS.test(part.text) &&
    items.reduce((sum, one) => sum + one.text.length, 0) <= LONGEST_LIST
  )
    return items;
  const opening = inChunk.filter((one) => one.block === sentence.block && one.at < sentence.at && !one.isQuestion);
  // Under a heading that asks the question, the answer starts at its beginning, so that «Нет.» is not lost.
  const afterQuestion = opening[0]?.first && (opening[0].at > 0 || sentence.chunk.heading.trimEnd().endsWith("?"));
  if (afterQuestion && best.heading > 0 && lengthOf([...opening, sentence]) <= LONGEST_ANSWER)
    return [...opening, sentence];
  const chosen = [sentence];
  const before = inChunk.find((one) => one.at === sentence.at - 1);
  const head = inChunk.find((one) => one.block === sentence.block && one.isListItem);
  if (head !== undefined && head !== sentence) chosen.unshift(head);
  else if (LEANS_BACK.test(sentence.text) && before?.tells) chosen.unshift(before);
  // The next row of a table has another subject.
  const isRow = tableCells(sentence.text) !== null;
  const after = isRow ? undefined : inChunk.find((one) => one.at === sentence.at + 1 && one.block === sentence.block);
  // Half a thought such as «Во дворе парковаться бесполезно.» needs the next sentence.
  if (best.own < 0.6 && chosen.length === 1 && sentence.text.length < 45 && after?.tells && after.text.length < 100)
    chosen.push(after);
  const others = candidates
    .filter((one) => one.sentence.chunk === sentence.chunk && !chosen.includes(one.sentence) && one.sentence.tells)
    .filter((one) => one.own >= best.own * 0.8 && one.fit >= best.fit && one.value >= best.value * 0.85)
    .sort((a, b) => b.value - a.value);
  for (const one of others) {
    if (chosen.length >= limit || LEANS_BACK.test(one.sentence.text) || one.sentence.isListItem) break;
    chosen.push(one.sentence);
  }
  return chosen.sort((a, b) => a.at - b.at);
}

function itemsAfter(sentences: readonly Sentence[], head: Sentence): Sentence[] {
  const items: Sentence[] = [];
  let length = 0;
  for (const one of sentences) {
    if (one.at <= head.at) continue;
    length += one.text.length;
    if ((items.length > 0 && !one.isListItem) || one.isQuestion || length > LONGEST_LIST) break;
    items.push(one);
    if (!one.isListItem) break;
  }
  return items;
}

/** Formats the sentences for a chat: without markup, keeping only numbered list markers. */
export function formatForChat(chosen: readonly Sentence[]): string {
  const items = chosen.filter((one) => one.isListItem).length;
  return chosen
    .map(({ text: written, isListItem, chunk }, i) => {
      const text = tableCells(written) === null ? written : (recordOf(written, chunk) ?? written);
      const numbered = /^\s*\d{1,2}[.)]/.test(text) && items > 1;
      const plain = withoutMarkup(numbered ? text.trim() : text.replace(LIST_MARK, "")).replace(
        /^(?:ответ|answer)\s*:\s*/i,
        "",
      );
      const ends = /[.!?…:;]$/.test(plain) || i === chosen.length - 1 ? plain : `${plain}.`;
      if (i === 0) return plain === ends || items > 1 ? plain : ends;
      const newLine = items > 1 && (isListItem || chosen[i - 1]!.isListItem);
      return newLine ? `\n${plain}` : ` ${ends}`;
    })
    .join("");
}
