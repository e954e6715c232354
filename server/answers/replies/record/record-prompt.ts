/**
 * The prompt for a capable model: who it is, the rules, everything that this asker may know with a number for each source, samples of the
 * owner's manner in a block of their own, and the conversation alone as turns (docs/decisions/040-answer-records.md).
 */

import type { TwinPurpose } from "#contract/twins.ts";
import { MASKS } from "#server/knowledge/facts/personal-data.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { formatDate } from "#server/platform/text/date-format.ts";
import { dayIn } from "../prompt/clock.ts";
import { DEFAULT_PROMPT_CHARS, takeWithinBudget } from "../prompt/prompt-budget.ts";
import { oneLine, shownExchanges, sizeOfExchange } from "../prompt/prompt-exchanges.ts";
import { fenceOf, withoutFence } from "../prompt/prompt-fence.ts";
import {
  alternating,
  fenced,
  notes,
  person,
  present,
  shownTurns,
  type Turns,
  targetStyle,
  written,
} from "../prompt/prompt-parts.ts";
import type { RecordPrompt, Source } from "../recorded-answer.ts";
import type { ReplyExample, ReplyRequest } from "../reply-request.ts";
import { RECORD_RULES } from "./record-rules.ts";
import { toolNotes, toolRules } from "./record-tools.ts";
import { replyLength } from "./reply-length.ts";

/** Shares of the room: what the asker may know comes first, for it decides whether an answer is right. */
const SHARES = { sources: 0.62, history: 0.2, samples: 0.12, person: 0.1, notes: 0.1 };
/** Samples may have this share as well where it is not needed for sources: a person's twin has few documents and lives by samples. */
const SPARED_FOR_SAMPLES = 0.08;
/** Turns of the conversation that are shown at most. */
const TURNS = 30;

/** Characters of knowledge that a prompt of this room shows whole. */
export const knowledgeRoomOf = (room: number): number => Math.floor(room * SHARES.sources);

/** @param room characters for all variable parts, see `promptCharsFor` */
export function buildRecordPrompt(request: ReplyRequest, room: number = DEFAULT_PROMPT_CHARS): RecordPrompt {
  const fence = fenceOf(request.payer?.twinId ?? "");
  const whole = request.everything ?? [];
  const taught = ownersAnswers(request);
  const found = whole.length > 0 ? [...correctionsOf(request), ...whole] : foundChunks(request);
  const budget = Math.max(0, room * SHARES.sources - taught.reduce((sum, { text }) => sum + text.length, 0));
  const chunks = takeWithinBudget(found, budget, sizeOfChunk);
  // A chunk that is longer than the room is better cut than left out.
  const shown =
    chunks.length === 0 && found[0] !== undefined ? [{ ...found[0], text: found[0].text.slice(0, budget) }] : chunks;
  // The room may have shrunk since everything was found to fit.
  const stable = whole.length > 0 && chunks.length === found.length;
  const known = [...(stable ? shown : inReadingOrder(shown)).map(sourceOf), ...taught];
  // What changes with the message is not counted, so that the block of samples stays the same.
  const unneeded = stable || found.length === 0 ? room * SHARES.sources - sizeOfChunks(whole) : 0;
  const samplesRoom = room * SHARES.samples + Math.max(0, Math.min(room * SPARED_FOR_SAMPLES, unneeded));
  const block = sourceBlock(known, { fence, all: stable, purpose: request.twin.purpose });
  // What tools have answered stands behind the documents, so that the cache of the system part stays valid.
  const answered = (request.tools?.results ?? []).map(sourceOf);
  const sources = [...known, ...answered];
  const system = written([
    person(request, Math.max(700, room * SHARES.person)),
    RECORD_RULES(fence, request.twin.purpose ?? "business"),
    toolRules(request, fence),
    stable ? block : "",
    targetStyle(request),
    samples(request, samplesRoom, fence),
    request.now === undefined ? "" : `Сегодня ${dayIn(request.now)} ${calendar(request.now)}`,
  ]);
  const material = written([
    stable ? "" : block,
    notes(request, room * SHARES.notes, fence),
    present(request, fence),
    ownerAnswers(request),
    replyLength(request),
    toolNotes(request, answered, { fence, before: known.length }),
  ]);
  return {
    system,
    messages: conversation(request, { budget: room * SHARES.history, material, fence }),
    fence,
    sources,
    isPartial: !stable,
  };
}

const sizeOfChunk = ({ text, heading }: ReplyChunk): number => text.length + heading.length;
const sizeOfChunks = (chunks: readonly ReplyChunk[]): number => chunks.reduce((sum, one) => sum + sizeOfChunk(one), 0);

const sourceOf = (chunk: ReplyChunk): Source => ({
  title: titleOf(chunk),
  heading: oneLine(chunk.heading),
  text: chunk.text.trim(),
  chunk,
});

/** Hits that precede contacts and opening hours. */
const BEST = 3;

/** What was found, the most needed first: where the room ends, the rest is left out. */
function foundChunks({ secondLook, chunks, accompanying }: ReplyRequest): ReplyChunk[] {
  const ordered = [
    ...(secondLook?.chunks ?? []),
    ...chunks.slice(0, BEST),
    ...(accompanying?.standing ?? []),
    ...chunks.slice(BEST),
    ...(accompanying?.neighbours ?? []),
  ];
  return [...new Map(ordered.map((chunk) => [chunk.id, chunk])).values()];
}

/** The documents best first, and the pieces of one document as they follow each other in it. */
function inReadingOrder(chunks: readonly ReplyChunk[]): ReplyChunk[] {
  const byDocument = Map.groupBy(chunks, ({ documentId, id }) => (documentId === "" ? id : documentId));
  return [...byDocument.values()].flatMap((pieces) => pieces.toSorted((a, b) => Number(a.id) - Number(b.id)));
}

/** The owner's corrections are as true as documents. They carry no document, and whole knowledge does not hold them. */
const correctionsOf = ({ chunks }: ReplyRequest): ReplyChunk[] => chunks.filter(({ documentId }) => documentId === "");

const OWNERS = "Ответ владельца";

/** What the owner himself said for everybody is data: his correction of this very question, and replies that he has published. */
function ownersAnswers({ corrected, replyExamples }: ReplyRequest): Source[] {
  const fixed =
    corrected == null
      ? []
      : [
          {
            title: `${OWNERS} (важнее документов)`,
            heading: corrected.question ?? "",
            text: corrected.text,
            chunk: null,
            isCorrection: true as const,
          },
        ];
  const opened = replyExamples.filter(({ opened, incoming }) => opened === true && incoming !== null);
  return [
    ...fixed,
    ...opened.map(({ incoming, reply }) => ({
      title: OWNERS,
      heading: oneLine(incoming ?? ""),
      text: reply,
      chunk: null,
    })),
  ];
}

const TYPES: Record<string, string> = {
  faq: "вопросы и ответы",
  product: "о товарах и услугах",
  sales: "о продажах",
  support: "о поддержке",
  training: "учебный материал",
  policy: "правила",
  conversation: "переписка",
};

/** Readers of an answer never see a file, so the prompt has no file names: a model would quote them. */
function titleOf({ name, type, date }: ReplyChunk): string {
  const title = oneLine(
    name.replace(/\.(?:md|txt|docx?|pdf|html?|csv|json|rtf|odt|xlsx?)$/iu, "").replaceAll("_", " "),
  );
  const about = [
    type === undefined ? "" : (TYPES[type] ?? ""),
    date === undefined ? "" : `от ${date.toLocaleDateString("ru-RU")}`,
  ];
  const known = about.filter((one) => one !== "").join(", ");
  return known === "" ? title : `${title} (${known})`;
}

/** Each title once, above the numbered pieces of its document. */
function sourceBlock(
  sources: readonly Source[],
  { fence, all, purpose }: { fence: string; all: boolean; purpose: TwinPurpose | undefined },
): string {
  if (sources.length === 0)
    return purpose === "friends"
      ? "Источников нет: о владельце ты знаешь только то, что сказано в этом разговоре."
      : "Источников нет: о деле владельца тебе ничего не известно.";
  const heading = all ? "Источники:" : PARTIAL;
  const lines: string[] = [];
  let before: string | null = null;
  for (const [at, { title, heading, text }] of sources.entries()) {
    if (title !== before) lines.push(`${before === null ? "" : "\n"}Документ «${title}»`);
    before = title;
    lines.push(`[${at + 1}]${heading === "" ? "" : ` ${heading}`}\n${text}`);
  }
  return `${heading}\n${fenced(lines.join("\n"), fence)}`;
}

/** A model that sees a part of a price list must not take it for the whole. */
const PARTIAL =
  "Источники (не все, а найденные по этому сообщению: чего здесь нет, то может быть в других, и «нет» из этого не следует):";

/** The owner's past exchanges show his manner; kept apart from the conversation, so that no model takes one for the other. */
function samples(request: ReplyRequest, budget: number, fence: string): string {
  const similar = request.replyExamples.filter(({ opened }) => opened !== true);
  const shares =
    similar.length === 0 ? { exchanges: budget } : { exchanges: budget * 0.6, replyExamples: budget * 0.4 };
  const shown = shownExchanges({ ...request, replyExamples: similar }, { ...NO_BUDGET, ...shares });
  if (shown.length === 0) return "";
  const lines = takeWithinBudget(shown.toReversed(), budget, sizeOfExchange).toReversed().map(sampleOf);
  const masks = MASKS.filter((mask) => lines.some((line) => line.includes(mask)));
  const masked = masks.length === 0 ? "" : ` Вместо скрытого стоит ${masks.join(", ")}: сам так не пиши.`;
  return `Так владелец писал раньше, в других разговорах; « / » стоит между сообщениями, отправленными подряд. Перенимай манеру; фактов отсюда не бери.${masked}\n${fenced(lines.join("\n"), fence)}`;
}
const NO_BUDGET = { person: 0, chunks: 0, replyExamples: 0, exchanges: 0, history: 0, notes: 0 };

/** « / » stands between the messages of one burst. */
const sampleOf = ({ incoming, reply }: ReplyExample): string =>
  incoming === null ? `— ${inOneLine(reply)}` : `— «${inOneLine(incoming)}» → ${inOneLine(reply)}`;
const inOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" / ");

/** The next seven days, because models miscount them. */
function calendar({ at, timeZone }: NonNullable<ReplyRequest["now"]>): string {
  const days = Array.from({ length: 7 }, (_, day) =>
    formatDate(new Date(at.getTime() + day * 86_400_000), "short-weekday", timeZone ?? ""),
  );
  return `Ближайшие дни: ${days.join("; ")}.`;
}

/** Whether the twin may announce an answer of the owner. */
function ownerAnswers({ ownerAnswers: answers, drafted }: ReplyRequest): string {
  if (answers === "will" || (drafted && answers === undefined))
    return "То, на что ты не ответишь, владелец прочтёт и ответит сам: об этом можно сказать.";
  if (answers === "asked") return "Владелец уже знает об этом вопросе и ответит сам.";
  return "Владелец этого разговора не читает: не обещай, что он ответит или что ты что-то передашь.";
}

function conversation(
  request: ReplyRequest,
  { budget, material, fence }: { budget: number; material: string; fence: string },
): Turns {
  const turns = takeWithinBudget(
    shownTurns(request).slice(-TURNS).toReversed(),
    budget,
    ({ content }) => content.length,
  ).toReversed();
  const begun =
    turns[0]?.role === "assistant" ? [{ role: "user" as const, content: "(начало разговора не показано)" }] : [];
  const shown = [...begun, ...turns].map(({ role, content }) => ({ role, content: withoutFence(content, fence) }));
  const message = withoutFence(request.message, fence);
  const last = `${material}\n\nСообщение собеседника:\n${message}`;
  return alternating([...shown, { role: "user", content: last.trim() }]);
}
