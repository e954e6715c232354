/**
 * The generator that asks the model on this machine. It costs no reply: where the model does not answer, the embedded engine does, and
 * `fellBack` tells. What the model says is given when it is whole, for half an answer cannot be taken back.
 */
import { createHash } from "node:crypto";
import { upstream } from "#server/errors.ts";
import type { Log } from "#server/log.ts";
import { ModelFailure, TooLong } from "#server/models/failures.ts";
import type { Asking, ModelHost } from "#server/models/model-host.ts";
import { budgetShare, buildPrompt } from "../prompt.ts";
import { embeddedReply } from "./embedded.ts";
import type { Generator, ReplyRequest } from "./generator.ts";
import { withoutThoughts } from "./model-thoughts.ts";
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
/** Of the usual prompt: what a model is first asked with, and the least and most. */
const SHARES = { first: 0.5, least: 0.1, most: 1 };

export function localGenerator({ host, log, totalMs, readMs = READ_MS }: LocalModelOptions): Generator {
  const fallen = new WeakSet<ReplyRequest>();
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
      yield `${opening}${await written(request, signal)}`;
    } catch (error) {
      signal.throwIfAborted();
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

  /** @throws ModelFailure */
  async function written(request: ReplyRequest, signal: AbortSignal): Promise<string> {
    const { payer, background = false } = request;
    const userId = `${payer?.userId ?? ""}${background ? " in the background" : ""}`;
    const asking = { asker: { organizationId: payer?.organizationId ?? "", userId }, signal, totalMs };
    let tried = share;
    for (let left = TRIES; left > 0; left--) {
      try {
        const { text, readingMs } = await ask(request, tried, asking);
        share = Math.min(share, tried);
        if (readingMs > readMs) scale(Math.max(0.3, readMs / readingMs));
        else if (readingMs < readMs / 2) scale(1.2);
        return text;
      } catch (error) {
        if (!(error instanceof TooLong)) throw error;
        // What does not shrink takes part of the room: a little less than the share that would do if all did.
        tried *= Math.min(0.8, (error.room / error.tokens) * 0.9);
      }
    }
    throw new ModelFailure("refused", "the message itself is too long");
  }

  async function ask(request: ReplyRequest, of: number, asking: Asking): Promise<{ text: string; readingMs: number }> {
    const { system, messages } = buildPrompt(request, budgetShare(of));
    const generation = host.generate(
      {
        turns: [{ role: "system", content: system }, ...messages],
        ...{ maxTokens: MAX_TOKENS, temperature: TEMPERATURE, seed: seedOf(request), stop: [], grammar: null },
      },
      asking,
    );
    let cut = false;
    // Loading is no reading; its turn is waited for as well: who is asked by many is asked with less.
    await host.facts(asking.signal);
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
      let text = "";
      for await (const delta of withoutThoughts(deltas())) text += delta;
      const said = cut ? wholeSentences(text) : text.trim();
      if (said === "") throw new ModelFailure("refused", "it said nothing");
      return { text: said, readingMs: firstAt - begun };
    } finally {
      // A stream that is left early ends the generation.
      await generation.return({ stopped: "end", input: 0, output: 0 });
    }
  }

  return { name: "llm", generate, fellBack: (request) => fallen.has(request) };
}

/** Of a text that was cut: up to the last end of a sentence. */
function wholeSentences(text: string): string {
  for (let at = text.length - 1; at >= 0; at--) {
    if (".!?…\n".includes(text[at]!)) return text.slice(0, at + 1).trim();
  }
  return "";
}

/** The same talk and message are answered alike. */
const seedOf = ({ seed = "", message }: ReplyRequest): number =>
  createHash("sha256").update(`${seed}\n${message}`).digest().readUInt32LE(0);
