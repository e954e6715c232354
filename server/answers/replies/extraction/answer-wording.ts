/** Chooses the sentences of an answer: the best with those needed to understand it, without markup. */

import { tableCells } from "#server/knowledge/documents/table-row.ts";
import { LIST_MARK } from "#server/knowledge/language/list-lines.ts";
import { denies } from "#server/knowledge/language/negation.ts";
import { type AnswerType, holdsSurely } from "#server/knowledge/language/question/answer-type.ts";
import { vocabularyOf } from "#server/knowledge/language/question/answer-vocabulary.ts";
import { contentWords, type QuestionPart } from "#server/knowledge/language/question/question-parts.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { Candidate, Sentence } from "./candidate.ts";
import { withoutMarkup } from "./markup.ts";
import { withoutWords } from "./may-be-stated.ts";
import { isCaption, LABEL, recordOf, underDenial } from "./quotation.ts";

/** A sentence that begins like this refers to the previous one. */
const LEANS_BACK =
  /^(?:он|она|оно|они|его|ее|её|их|ему|ей|им|это|этот|эта|эти|этого|этой|такой|такая|такое|такие|поэтому|также|кроме того|при этом|однако|тогда|там|дальше|обратно|it|they|he|she|this|these|those|its|their|also|however|therefore)(?!\p{L})/iu;
const LISTS = /(?<!\p{L})(?:что|какие|какой|перечень|список|состав|продукты|how|what)(?!\p{L})/iu;
const LONGEST_LIST = 600;
const LONGEST_ANSWER = 240;

const lengthOf = (sentences: readonly Sentence[]) => sentences.reduce((sum, { text }) => sum + text.length, 0);

/** Returns the best sentence with those needed to understand it, in order. */
export function addNeededSentences(best: Candidate, candidates: readonly Candidate[], part: QuestionPart): Sentence[] {
  const { sentence } = best;
  const inChunk = candidates.map((one) => one.sentence).filter((one) => one.chunk === sentence.chunk);
  if (/:\s*$/.test(sentence.text)) return [sentence, ...itemsAfter(inChunk, sentence)];
  const announced = candidates.findLast(
    (one) => one.sentence.chunk === sentence.chunk && one.sentence.at < sentence.at && !one.sentence.isListItem,
  );
  if (sentence.isListItem && announced !== undefined && announced.own > best.own && /:$/.test(announced.sentence.text))
    return [announced.sentence, ...itemsAfter(inChunk, announced.sentence)];
  const head = headOf(sentence, candidates);
  const items = inChunk.filter((one) => one.isListItem);
  // When the heading asks the question, the whole list is the answer: «Что взять с собой?».
  if (
    sentence.isListItem &&
    best.heading > best.own &&
    LISTS.test(part.text) &&
    items.reduce((sum, one) => sum + one.text.length, 0) <= LONGEST_LIST
  )
    return head === null ? items : [head, ...items];
  const opening = inChunk.filter((one) => one.block === sentence.block && one.at < sentence.at && !one.isQuestion);
  // Under a heading that asks the question, the answer starts at its beginning, so that «Нет.» is not lost.
  const afterQuestion = opening[0]?.first && (opening[0].at > 0 || sentence.chunk.heading.trimEnd().endsWith("?"));
  if (afterQuestion && best.heading > 0 && lengthOf([...opening, sentence]) <= LONGEST_ANSWER)
    return [...opening, sentence];
  const chosen = [sentence];
  const before = inChunk.find((one) => one.at === sentence.at - 1);
  const item = inChunk.find((one) => one.block === sentence.block && one.isListItem);
  if (item !== undefined && item !== sentence) chosen.unshift(item);
  else if (LEANS_BACK.test(sentence.text) && before?.tells) chosen.unshift(before);
  if (head !== null && !chosen.includes(head)) chosen.unshift(head);
  // The next row of a table has another subject.
  const isRow = tableCells(sentence.text) !== null;
  const after = isRow ? undefined : inChunk.find((one) => one.at === sentence.at + 1 && one.block === sentence.block);
  // Half a thought such as «Во дворе парковаться бесполезно.» needs the next sentence.
  if (best.own < 0.6 && chosen.length === 1 && sentence.text.length < 45 && after?.tells && after.text.length < 100)
    chosen.push(after);
  return chosen.sort((a, b) => a.at - b.at);
}

/** Adds sentences of the same chunk that answer nearly as well, up to `limit` sentences. */
export function addEqualSentences(
  needed: readonly Sentence[],
  best: Candidate,
  candidates: readonly Candidate[],
  limit: number,
): Sentence[] {
  const chosen = [...needed];
  const others = candidates
    .filter((one) => one.sentence.chunk === best.sentence.chunk && !chosen.includes(one.sentence) && one.sentence.tells)
    .filter((one) => one.own >= best.own * 0.8 && one.fit >= best.fit && one.value >= best.value * 0.85)
    .sort((a, b) => b.value - a.value);
  if (needed.some(({ isListItem }) => isListItem)) return chosen;
  for (const one of others) {
    if (chosen.length >= limit || LEANS_BACK.test(one.sentence.text) || one.sentence.isListItem) break;
    chosen.push(one.sentence);
  }
  return chosen.sort((a, b) => a.at - b.at);
}

/** Returns the line above a list that its items must be said with: it announces them, or denies them («Не ремонтируем»). */
function headOf(item: Sentence, candidates: readonly Candidate[]): Sentence | null {
  const first = candidates.find(({ sentence }) => sentence.chunk === item.chunk && sentence.block === item.block);
  if (!first?.sentence.isListItem) return null;
  const head = candidates.findLast(
    ({ sentence }) => sentence.chunk === item.chunk && sentence.at < first.sentence.at && !sentence.isListItem,
  )?.sentence;
  if (head === undefined || head.isRow) return null;
  if (/:\s*$/.test(head.text)) return head;
  return isCaption(head.text) && denies(head.text) && !denies(item.text) ? head : null;
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

const COUNTED: ReadonlySet<AnswerType> = new Set(["money", "number", "share", "duration"]);

/** Returns the columns that a question names, or the whole row if they do not hold what it asks for. */
function rowFor(part: QuestionPart | null, sentence: string, chunk: ReplyChunk): string | null {
  if (part === null) return recordOf(sentence, chunk);
  const named = recordOf(sentence, chunk, contentWords(part.text));
  // «2212» in «Janome 2212 новая сколько?» is no price; a day that was asked about still tells when.
  const told = withoutWords(named ?? "", vocabularyOf(part.text));
  const holds = (type: AnswerType) =>
    holdsSurely(type, COUNTED.has(type) ? told : (named ?? ""), { inRow: true, question: part.text });
  return named === null || part.types.every(holds) ? named : recordOf(sentence, chunk);
}

/**
 * Formats the sentences for a chat: without markup, keeping only numbered list markers. Rows are said with their headings, and items under
 * a heading that denies them with that heading.
 * @param only question of the message, if it has one: of a row only the columns that it names are said
 */
export function formatForChat(chosen: readonly Sentence[], only: QuestionPart | null): string {
  const items = chosen.filter((one) => one.isListItem).length;
  const lines: { plain: string; isListItem: boolean }[] = [];
  for (const { text: written, isListItem, chunk } of chosen) {
    const text = rowFor(only, written, chunk) ?? written;
    const numbered = /^\s*\d{1,2}[.)]/.test(text) && items > 1;
    const plain = withoutMarkup(numbered ? text.trim() : text.replace(LIST_MARK, "").replace(LABEL, ""));
    // Leaves out repetitions, because two fields of a record give the same row.
    if (!lines.some((line) => line.plain === plain)) lines.push({ plain, isListItem });
  }
  const said = lines
    .map(({ plain, isListItem }, i) => {
      const ends = /[.!?…:;]$/.test(plain) || i === lines.length - 1 ? plain : `${plain}.`;
      if (i === 0) return plain === ends || items > 1 ? plain : ends;
      const newLine = items > 1 && (isListItem || lines[i - 1]!.isListItem);
      return newLine ? `\n${plain}` : ` ${ends}`;
    })
    .join("");
  return chosen[0] === undefined ? said : underDenial(said, chosen[0].chunk);
}
