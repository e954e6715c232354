/**
 * Checks a model's answer before it is shown. When nothing of it may be sent, the model is asked once more; after that the owner must
 * answer.
 */
import { outputGuard } from "#server/answers/output-guard/guard-output.ts";
import { addSpanAttributes } from "#server/platform/process/tracing.ts";
import { isAnsweredSocially } from "../owner-words/friend-policy.ts";
import { NO_ANSWER } from "../prompt/prompt-rules.ts";
import type { AnswerNotes, ReplyRequest } from "../reply-request.ts";
import { embeddedReply } from "../wording/embedded-reply.ts";
import { AnswerReader, type Fault } from "./answer-reader.ts";
import { addressSources, ReplySources } from "./sources.ts";

export interface Attempt {
  deltas: AsyncIterable<string>;
  /** Whether the model was stopped at the length limit; known once the deltas have ended. */
  cut(): boolean;
}

export class NothingSaid extends Error {
  override name = "NothingSaid";
}

/**
 * Yields the text that may be shown. When the model honestly does not know, or nothing of its answer may be sent, this is the embedded
 * engine's «не знаю» reply.
 * @returns the findings of the check, for `planAfter`
 * @throws NothingSaid; whatever the attempts throw
 */
export async function* checkedAnswer(
  request: ReplyRequest,
  secrets: readonly string[],
  ask: (complaint: string | null) => Attempt,
): AsyncGenerator<string, AnswerNotes, void> {
  const sources = ReplySources.of(request);
  let before: AnswerReader | null = null;
  let checkMs = 0;
  const timed = (check: () => string): string => {
    const began = performance.now();
    const said = check();
    checkMs += performance.now() - began;
    return said;
  };
  for (;;) {
    const reader: AnswerReader = new AnswerReader(request, sources, secrets);
    // Addresses and markup are guarded before sentences are split, because a sentence boundary may lie within one.
    const guard = outputGuard(addressSources(request));
    const { deltas, cut } = ask(before === null ? null : complaintOf(before.faults, before.noAnswer));
    for await (const delta of deltas) {
      const said = timed(() => reader.push(guard.push(delta)));
      if (said !== "") yield said;
      // Stops the generation of text that would not be shown.
      if (reader.full) break;
    }
    const rest = timed(() => reader.push(guard.end()) + reader.end(cut()));
    if (rest !== "") yield rest;
    addSpanAttributes({
      "reply.check_ms": Math.round(checkMs),
      "reply.check_faults": reader.faults.length,
      "reply.attempts": before === null ? 1 : 2,
    });
    const notes: AnswerNotes = {
      kind: "answered",
      unsupported: [...(before?.faults ?? []), ...reader.faults].flatMap(({ pieces }) => pieces),
      again: before !== null,
      shortened: reader.faults.length > 0,
      computed: reader.computed,
      weak: reader.weak,
      defers: reader.defers,
    };
    if (reader.said !== "") return notes;
    // An honest «не знаю» needs no second attempt.
    const honest = reader.noAnswer && reader.faults.every(({ kind }) => kind !== "unsupported");
    // A friend does not wait for a second attempt: the embedded engine always has a kind phrase.
    const friendly = isAnsweredSocially(request);
    if (honest || before !== null || friendly) {
      const empty = reader.faults.length === 0 && !reader.noAnswer;
      if (empty && before !== null && before.faults.length === 0) throw new NothingSaid("the model said nothing");
      const small = friendly || request.plan.kind === "smalltalk";
      yield embeddedReply(small ? request : notKnown(request));
      if (small) return { ...notes, unsupported: [], shortened: false };
      const held = !honest && notes.unsupported.length > 0;
      return { ...notes, kind: held ? "held" : "unknown" };
    }
    before = reader;
  }
}

const notKnown = (request: ReplyRequest): ReplyRequest => ({
  ...request,
  corrected: null,
  nearest: [],
  plan: { kind: "unknown", confidence: 0, reason: "" },
});

/** Instruction for the second attempt. The unsupported pieces are the model's own words, so they are quoted briefly. */
function complaintOf(faults: readonly Fault[], noAnswer: boolean): string {
  const kinds = new Set(faults.map(({ kind }) => kind));
  const pieces = [...new Set(faults.flatMap(({ pieces: all }) => all))]
    .slice(0, 6)
    .map((piece) => `«${piece.slice(0, 60)}»`);
  const wrong = [
    pieces.length > 0 &&
      `в нём было то, чего нет ни в данных, ни в разговоре: ${pieces.join(", ")}. Не называй этого и ничего не обещай; если считаешь, назови числа, из которых считаешь`,
    kinds.has("language") && "он был не на том языке",
    kinds.has("machine") && "ты говорил о себе как о программе",
    kinds.has("echo") && "он повторял вопрос: ответь на него сам",
    kinds.has("shape") && "это был не обычный текст для собеседника",
    kinds.has("cut") && "он оборвался: уложись в два предложения",
  ].filter((part) => part !== false);
  const what = wrong.length > 0 ? wrong.join("; ") : noAnswer ? "это был отказ" : "он был пуст";
  return `Прошлый ответ не отправлен: ${what}. Ответь снова, коротко и только по данным. Если ответа в них нет, напиши одно слово: ${NO_ANSWER}`;
}
