/** A model's answer as it leaves: read before it is shown, asked for once more where nothing of it may be said, else left to the owner. */
import { outputGuard } from "#server/output-guard/guard-output.ts";
import { embeddedReply } from "../generators/embedded.ts";
import type { AnswerNotes, ReplyRequest } from "../generators/generator.ts";
import { AnswerReader, type Fault } from "./answer-reader.ts";
import { NO_ANSWER } from "./refusals.ts";
import { addressSources, ReplySources } from "./sources.ts";

/** One time that the model is asked. */
export interface Attempt {
  deltas: AsyncIterable<string>;
  /** Known when the deltas have ended: it was stopped for its length. */
  cut(): boolean;
}

export interface Asked {
  /** What was wrong with the answer before, told to the model; null the first time. */
  complaint: string | null;
  /** What must not be shown of the prompt. */
  secrets: readonly string[];
}

/** The model has said nothing twice. */
export class NothingSaid extends Error {
  override name = "NothingSaid";
}

/**
 * The text that may be shown, as deltas. An answer of nothing but an honest «не знаю», and one of which nothing may be said, come out in
 * the words that the embedded engine has for what is not known.
 * @returns what the check has found, for `planAfter`
 * @throws NothingSaid; whatever the attempts throw
 */
export async function* checkedAnswer(
  request: ReplyRequest,
  secrets: readonly string[],
  ask: (complaint: string | null) => Attempt,
): AsyncGenerator<string, AnswerNotes, void> {
  const sources = new ReplySources(request);
  let before: AnswerReader | null = null;
  for (;;) {
    const reader: AnswerReader = new AnswerReader(request, sources, secrets);
    // Addresses and marks first: a sentence may end within one.
    const guard = outputGuard(addressSources(request));
    const { deltas, cut } = ask(before === null ? null : complaintOf(before.faults, before.noAnswer));
    for await (const delta of deltas) {
      const said = reader.push(guard.push(delta));
      if (said !== "") yield said;
      // It is not asked to write what nobody is shown.
      if (reader.full) break;
    }
    const rest = reader.push(guard.end()) + reader.end(cut());
    if (rest !== "") yield rest;
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
    // An honest «не знаю» needs no second try.
    const honest = reader.noAnswer && reader.faults.every(({ kind }) => kind !== "unsupported");
    if (honest || before !== null) {
      const empty = reader.faults.length === 0 && !reader.noAnswer;
      if (empty && before!.faults.length === 0) throw new NothingSaid("the model said nothing");
      // To a greeting there is always something to say.
      const small = request.plan.kind === "smalltalk";
      yield embeddedReply(small ? request : notKnown(request));
      if (small) return { ...notes, unsupported: [], shortened: false };
      const held = !honest && notes.unsupported.length > 0;
      return { ...notes, kind: held ? "held" : "unknown" };
    }
    before = reader;
  }
}

/** As if nothing had been found. */
const notKnown = (request: ReplyRequest): ReplyRequest => ({
  ...request,
  corrected: null,
  plan: { kind: "unknown", confidence: 0, reason: "" },
});

/** Told to the model in the second try. The pieces are its own words: they are quoted short. */
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
