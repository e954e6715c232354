/**
 * The generator that asks the model on this machine. It costs no reply: where the model does not answer, the embedded engine does, and
 * `fellBack` tells. What the model says is given when it is whole, for half an answer cannot be taken back.
 */
import { createHash } from "node:crypto";
import { upstream } from "#server/errors.ts";
import type { Log } from "#server/log.ts";
import { ModelFailure, TooLong } from "#server/models/failures.ts";
import type { Asking, ModelHost } from "#server/models/model-host.ts";
import { checkedAnswer, NothingSaid } from "../checking/checked-answer.ts";
import { buildPrompt, type PromptOptions } from "../prompt.ts";
import { roomIn, USUAL_ROOM } from "../prompt-budget.ts";
import { fenceOf } from "../prompt-fence.ts";
import { embeddedReply } from "./embedded.ts";
import type { AnswerNotes, Generator, ReplyRequest } from "./generator.ts";
import { type ThoughtHabits, withoutThoughts } from "./model-thoughts.ts";
import { settledWithoutModel } from "./without-model.ts";

export interface LocalModelOptions {
  host: ModelHost;
  log: Log;
  /** For a whole reply, its turn not counted. */
  totalMs: number;
  /** For reading a prompt: what takes longer is asked with less the next time. */
  readMs?: number;
}

/** About a thousand letters of Russian; on a processor more would take minutes. */
const MAX_TOKENS = 300;
/** Enough for a manner, too little for fancy. */
const TEMPERATURE = 0.3;
/** A prompt that is too long is asked with less so many times. */
const TRIES = 6;
/** Who asks waits so long before the first word, and the word itself is not fast. */
const READ_MS = 15_000;
/** Of the room that a prompt usually has: what a model is first asked with, and the least and most. */
const SHARES = { first: 0.5, least: 0.1, most: 1 };

export function localGenerator({ host, log, totalMs, readMs = READ_MS }: LocalModelOptions): Generator {
  const fallen = new WeakSet<ReplyRequest>();
  const notes = new WeakMap<ReplyRequest, AnswerNotes>();
  const habits: ThoughtHabits = { unmarked: null };
  /** Of the usual prompt, what the model has room and this machine has time for. */
  let share = SHARES.first;
  const scale = (by: number) => {
    share = Math.min(SHARES.most, Math.max(SHARES.least, share * by));
  };

  async function* generate(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const { opening, whole } = settledWithoutModel(request);
    if (whole !== null) {
      yield whole;
      return;
    }
    yield "";
    try {
      yield `${opening}${await checked(request, signal)}`;
    } catch (caught) {
      signal.throwIfAborted();
      const error = caught instanceof NothingSaid ? new ModelFailure("refused", "it said nothing") : caught;
      if (!(error instanceof ModelFailure)) throw error;
      // Whoever measures the model is not to measure another.
      if (request.background)
        throw upstream("model_failed", "Модель не ответила. Попробуйте еще раз через минуту.", {
          cause: error,
          ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
        });
      if (error.reason === "late" || error.reason === "hung") scale(0.5);
      log.warn({ reason: error.reason }, "the local model did not answer: the embedded engine did");
      fallen.add(request);
      const reply = embeddedReply(request);
      yield reply.includes(opening.trim()) ? reply : `${opening}${reply}`;
    }
  }

  /** In one piece, for the embedded engine may still have to answer. @throws ModelFailure, NothingSaid */
  async function checked(request: ReplyRequest, signal: AbortSignal): Promise<string> {
    let cut = false;
    const answer = checkedAnswer(request, [fenceOf(request.payer?.twinId ?? "")], (complaint) => ({
      deltas: (async function* () {
        const text = await written(request, complaint, signal);
        cut = text.cut;
        yield text.said;
      })(),
      cut: () => cut,
    }));
    let text = "";
    for (;;) {
      const next = await answer.next();
      if (next.done) {
        notes.set(request, next.value);
        return text.trim();
      }
      text += next.value;
    }
  }

  /** @throws ModelFailure */
  async function written(request: ReplyRequest, complaint: string | null, signal: AbortSignal): Promise<Written> {
    const { payer, background = false } = request;
    const userId = `${payer?.userId ?? ""}${background ? " in the background" : ""}`;
    const asking = { asker: { organizationId: payer?.organizationId ?? "", userId }, signal, totalMs };
    // Loading is no reading.
    const { generator } = await host.facts(signal);
    const most = roomIn(generator?.contextTokens ?? 0, MAX_TOKENS);
    let room = Math.min(share * USUAL_ROOM, most);
    for (let left = TRIES; left > 0; left--) {
      try {
        const { readingMs, ...said } = await ask(request, { room, complaint }, asking);
        if (room < most) share = Math.min(share, room / USUAL_ROOM);
        if (readingMs > readMs) scale(Math.max(0.3, readMs / readingMs));
        else if (readingMs < readMs / 2) scale(1.2);
        return said;
      } catch (error) {
        if (!(error instanceof TooLong)) throw error;
        // What does not shrink takes part of the room: a little less than the share that would do if all did.
        room *= Math.min(0.8, (error.room / error.tokens) * 0.9);
      }
    }
    throw new ModelFailure("refused", "the message itself is too long");
  }

  async function ask(
    request: ReplyRequest,
    options: PromptOptions,
    asking: Asking,
  ): Promise<Written & { readingMs: number }> {
    const { system, messages } = buildPrompt(request, options);
    const generation = host.generate(
      {
        turns: [{ role: "system", content: system }, ...messages],
        ...{ maxTokens: MAX_TOKENS, temperature: TEMPERATURE, seed: seedOf(request), stop: [], grammar: null },
      },
      asking,
    );
    let cut = false;
    // Its turn is waited for as well: who is asked by many is asked with less.
    const begun = performance.now();
    let firstAt = 0;
    async function* deltas() {
      for (;;) {
        const next = await generation.next();
        firstAt ||= performance.now();
        if (next.done) {
          cut = next.value.stopped === "length";
          return;
        }
        yield next.value;
      }
    }
    try {
      let said = "";
      for await (const delta of withoutThoughts(deltas(), habits)) said += delta;
      return { said, cut, readingMs: firstAt - begun };
    } finally {
      // A stream that is left early ends the generation.
      await generation.return({ stopped: "end", input: 0, output: 0 });
    }
  }

  return { name: "llm", generate, notes: (request) => notes.get(request), fellBack: (request) => fallen.has(request) };
}

interface Written {
  said: string;
  cut: boolean;
}

/** The same talk and message are answered alike. */
const seedOf = ({ seed = "", message }: ReplyRequest): number =>
  createHash("sha256").update(`${seed}\n${message}`).digest().readUInt32LE(0);
