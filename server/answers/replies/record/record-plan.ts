/** The plan of an answer with a record: what it is, how probably the owner would send it, and what it leaves to him. */

import type { RecordedAnswer } from "../recorded-answer.ts";
import type { Plan, ReplyRequest } from "../reply-request.ts";
import { namedChunks, namesCorrection } from "./named-sources.ts";
import { isParted } from "./record-words.ts";
import { sendProbability } from "./send-probability.ts";
import { SENT_FROM } from "./send-weights.ts";
import { withTrackRecord } from "./track-record.ts";
import { sentencesOf } from "./verifier.ts";

/** Characters of a quoted place. */
const LONGEST = 80;

export function planOfRecord(request: ReplyRequest, answer: RecordedAnswer): Plan {
  const plan = plannedOf(request, answer);
  return isParted(request, answer) ? { ...plan, parted: true } : plan;
}

function plannedOf(request: ReplyRequest, answer: RecordedAnswer): Plan {
  const { record, faults, verdict } = answer;
  const probability = sendProbability(answer);
  const band: NonNullable<Plan["band"]> = probability >= SENT_FROM ? "sure" : "unsure";
  const track = request.trackRecords?.[band];
  const confidence = track === undefined ? probability : withTrackRecord(probability, track);
  const plan = { confidence, sentFrom: SENT_FROM, band, ...(track === undefined ? {} : { track }) };
  if (record.kind === "unknown")
    return {
      ...{ kind: "unknown", confidence: Math.min(0.3, confidence) },
      reason: "Модель не нашла ответа в том, что известно двойнику.",
    };
  const doubted = [
    ...faults.flatMap(({ pieces, sentence }) => (pieces.length > 0 ? pieces : [sentence])),
    ...doubtsOf(answer),
  ];
  if (faults.length > 0)
    return {
      ...{ kind: "knowledge", confidence: Math.min(0.3, confidence), held: true, doubtful: doubted },
      reason: `Проверьте это место, его нет ни в документах, ни в разговоре: ${quoted(doubted)}.`,
    };
  if (record.kind === "act")
    return {
      ...plan,
      kind: "unknown",
      action: record.action,
      reason: `Просят о действии: ${record.action || "это решаете вы"}.`,
    };
  if (record.kind === "remark")
    return { ...plan, kind: "smalltalk", reason: "Модель откликнулась на реплику и ничего не утверждала." };
  const left = record.kind === "partly" ? record.open || request.message : "";
  return {
    ...{ ...plan, kind: "knowledge" },
    ...(doubted.length === 0 ? {} : { doubtful: doubted }),
    ...(left === "" ? {} : { open: left }),
    reason: reasonOf(answer, verdict?.fault ?? "", doubted, left),
  };
}

function doubtsOf({ record, verdict }: RecordedAnswer): string[] {
  const sentences = sentencesOf(record);
  return verdict?.unsupported.flatMap((at) => sentences[at] ?? []) ?? [];
}

function reasonOf(answer: RecordedAnswer, fault: string, doubted: readonly string[], left: string): string {
  const titles = [...new Set(namedChunks(answer).map(({ name }) => name))];
  const found =
    titles.length === 0
      ? namesCorrection(answer)
        ? "Модель ответила тем, чему вы научили двойника."
        : "Модель ответила из разговора и того, что вы рассказали о себе."
      : `Модель ответила по документам: ${titles
          .slice(0, 3)
          .map((title) => `«${title}»`)
          .join(", ")}.`;
  const doubt = doubted.length > 0 ? ` Проверка сомневается: ${fault || quoted(doubted)}.` : "";
  const open = left === "" ? "" : ` Без ответа осталось: ${left.slice(0, LONGEST)}.`;
  return `${found}${doubt}${open}`.replace(/\.{2,}/g, ".");
}

const quoted = (pieces: readonly string[]): string =>
  [...new Set(pieces)]
    .slice(0, 3)
    .map((piece) => `«${piece.slice(0, LONGEST)}»`)
    .join(", ");
