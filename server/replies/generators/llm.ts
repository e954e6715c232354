/** The generator that asks an OpenAI-compatible model. A failure is the reply's failure: nothing else answers instead. */
import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Problem, upstream } from "#server/errors.ts";
import { createVault, redact, restoring } from "#server/language/redact.ts";
import { isForeign } from "#server/models/model-address.ts";
import { bodyOf, isBusy, retryAfter, statusOf, summary } from "#server/models/provider-errors.ts";
import type { ModelBudget, Taken } from "#server/twins/model-budget.ts";
import { tokensOf } from "#server/twins/model-tokens.ts";
import { checkedAnswer, NothingSaid } from "../checking/checked-answer.ts";
import { buildPrompt, type Prompt } from "../prompt.ts";
import { LEAST_ROOM, roomIn } from "../prompt-budget.ts";
import type { AnswerNotes, Generator, ReplyRequest } from "./generator.ts";
import { type ThoughtHabits, withoutThoughts } from "./model-thoughts.ts";
import { contextOf, isOverflow, streamingFetch } from "./whole-answers.ts";
import { settledWithoutModel } from "./without-model.ts";

export interface ModelSettings {
  /** With the version: https://api.openai.com/v1 */
  baseUrl: string;
  apiKey?: string | null;
  model: string;
  /** Until the first token, 30 s. */
  firstTokenMs?: number;
  /** Until the last token, 120 s; repeats included. */
  totalMs?: number;
  /** What each call is taken from; without one nothing is counted (benchmarks). */
  budget?: ModelBudget;
  /** Tokens that the model sees at once; less is learnt from its refusals. */
  contextTokens?: number;
  /** Whether phones, cards and the like are redacted; by the address when not given. */
  foreign?: boolean;
}

/** Of an answer that is not there yet: what most need. */
const ANSWER_TOKENS = 500;
/** Of a model that does not say what it sees at once: today's see more. */
const USUAL_CONTEXT = 16_384;
/** A prompt that was too long is asked with so much of its parts, so often. */
const SHRINK = 0.6;
const SHRINKS = 5;
/** Waited for once when a model asks to come again; a longer wait is the user's to decide. */
const LONGEST_RETRY_AFTER = 5;

/**
 * The provider's own stream is read, not `streamText`: that costs 4.3 ms of CPU for a reply of 40 tokens, this 1.0, and
 * what it adds (tools, steps, telemetry, blind repeats) is not wanted here.
 */
export function llmGenerator(settings: ModelSettings): Generator {
  const { baseUrl, apiKey, model, firstTokenMs = 30_000, totalMs = 120_000, budget } = settings;
  const foreign = settings.foreign ?? isForeign(baseUrl);
  const chat = createOpenAICompatible({
    name: "model",
    baseURL: baseUrl,
    ...(apiKey ? { apiKey } : {}),
    // What it has cost comes with the last part of the stream.
    includeUsage: true,
    // A redirect would carry the key and the letters to an address that nobody allowed.
    fetch: streamingFetch((input, init) => fetch(input, { ...init, redirect: "error" })),
  }).chatModel(model);

  const notes = new WeakMap<ReplyRequest, AnswerNotes>();
  const habits: ThoughtHabits = { unmarked: null };
  /** Of a prompt's parts, as this model's server has told by refusing more; see `roomIn`. */
  let room = roomIn(settings.contextTokens ?? USUAL_CONTEXT, ANSWER_TOKENS);

  async function* generate(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const { opening, whole } = settledWithoutModel(request);
    if (whole !== null) {
      yield whole;
      return;
    }
    // The first is taken before anything is said: who may not ask is refused with a status of its own.
    let prompt = hide(request, null);
    let cost = await CallCost.take(request, prompt, budget);
    try {
      yield opening;
      const answer = checkedAnswer(request, [prompt.fence], (complaint) => ({
        deltas: attempt(complaint),
        cut: () => cost.cut,
      }));
      const found = yield* answer;
      notes.set(request, found);
    } catch (error) {
      if (error instanceof NothingSaid)
        throw upstream("model_empty", "Модель прислала пустой ответ. Попробуйте еще раз через минуту.", {
          cause: error,
        });
      throw error;
    } finally {
      await cost.settle();
    }

    /** Asked again it is another call, with a cost of its own; with too much asked the same call is asked with less. */
    async function* attempt(complaint: string | null): AsyncGenerator<string> {
      if (complaint !== null) {
        await cost.settle();
        prompt = hide(request, complaint);
        cost = await CallCost.take(request, prompt, budget);
      }
      for (let left = SHRINKS; ; left--) {
        try {
          const restored = restoring(prompt.vault);
          for await (const delta of withoutThoughts(deltas(prompt, signal, cost), habits)) {
            const text = restored.push(delta);
            if (text !== "") yield text;
          }
          yield restored.end();
          return;
        } catch (error) {
          if (!(error instanceof Overflow) || left === 0 || room <= LEAST_ROOM) throw error;
          const told = error.contextTokens === null ? room : roomIn(error.contextTokens, ANSWER_TOKENS);
          room = Math.max(LEAST_ROOM, Math.min(Math.min(room, sizeOf(prompt)) * SHRINK, told));
          prompt = hide(request, complaint);
        }
      }
    }
  }

  /** The prompt as the model may read it, and what was taken out of it. */
  function hide(request: ReplyRequest, complaint: string | null): HiddenPrompt {
    const vault = createVault();
    const hidden = (text: string) => (foreign ? redact(text, vault) : text);
    const { system, messages, fence } = buildPrompt(request, { room, complaint });
    return {
      system: hidden(system),
      messages: messages.map((turn) => ({ ...turn, content: hidden(turn.content) })),
      fence,
      vault,
    };
  }

  async function* deltas(prompt: Prompt, signal: AbortSignal, cost: CallCost): AsyncGenerator<string> {
    const deadline = performance.now() + totalMs;
    const clock = new AbortController();
    const stopped = AbortSignal.any([signal, clock.signal]);
    let timer = setTimeout(() => clock.abort(), Math.min(firstTokenMs, totalMs));
    let reader: Awaited<ReturnType<typeof open>> | undefined;
    let ended = false;
    try {
      cost.asked = true;
      reader = await open(prompt, stopped, deadline).catch((error: unknown) => {
        // Refused, or never reached: nothing was read by a model.
        if (!stopped.aborted) cost.asked = false;
        throw error;
      });
      let spoke = false;
      for (;;) {
        const { done, value: part } = await reader.read();
        ended = done;
        if (done) break;
        if (part.type === "error") {
          if (isOverflow(part.error)) throw new Overflow(failure(new MalformedAnswer(), false), null);
          throw endsEarly(part.error) ? new CutAnswer() : new MalformedAnswer(summary(part.error));
        }
        if (part.type === "text-delta" || part.type === "reasoning-delta") {
          if (!spoke) {
            spoke = true;
            clearTimeout(timer);
            timer = setTimeout(() => clock.abort(), Math.max(0, deadline - performance.now()));
          }
          cost.hear(part.delta);
          if (part.type === "text-delta" && part.delta !== "") yield part.delta;
        }
        if (part.type === "finish") {
          cost.report(part.usage.inputTokens.total, part.usage.outputTokens.total);
          cost.cut = part.finishReason.unified === "length";
        }
        if (part.type === "finish" && part.finishReason.unified === "content-filter") throw new Refused();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Overflow) throw error;
      const overflow = clock.signal.aborted ? null : overflowOf(error);
      throw overflow ?? failure(error, clock.signal.aborted);
    } finally {
      clearTimeout(timer);
      // A consumer that leaves early ends the request too.
      if (!ended) {
        clock.abort();
        reader?.cancel().catch(() => {});
      }
    }
  }

  async function open(prompt: Prompt, signal: AbortSignal, deadline: number) {
    const call = () =>
      chat.doStream({
        prompt: [
          { role: "system", content: prompt.system },
          ...prompt.messages.map(({ role, content }) => ({
            role,
            content: [{ type: "text" as const, text: content }],
          })),
        ],
        abortSignal: signal,
      });
    try {
      return (await call()).stream.getReader();
    } catch (error) {
      const wait = retryAfter(error);
      if (
        !isBusy(error) ||
        wait === undefined ||
        wait > LONGEST_RETRY_AFTER ||
        performance.now() + wait * 1000 > deadline
      )
        throw error;
      await sleep(wait * 1000, undefined, { signal });
      return (await call()).stream.getReader();
    }
  }

  return { name: "llm", generate, notes: (request) => notes.get(request) };
}

const sizeOf = ({ system, messages }: Prompt) =>
  messages.reduce((sum, { content }) => sum + content.length, system.length);

interface HiddenPrompt extends Prompt {
  vault: ReturnType<typeof createVault>;
}

/** What one call costs: as the model's server says, else by the length of what was read and written. */
class CallCost {
  /** Of what is asked with a usual answer. */
  readonly expected: number;
  readonly #asking: number;
  /** The model may have read it. */
  asked = false;
  /** It was stopped for its length. */
  cut = false;
  #taken: Taken | null = null;
  #heard = "";
  #reported: number | null = null;

  constructor({ system, messages }: Prompt) {
    this.#asking = tokensOf([system, ...messages.map(({ content }) => content)].join("\n"));
    this.expected = this.#asking + ANSWER_TOKENS;
  }

  /** Takes what it may cost from the day's budget. @throws Problem 429 */
  static async take(request: ReplyRequest, prompt: Prompt, budget: ModelBudget | undefined): Promise<CallCost> {
    const cost = new CallCost(prompt);
    if (budget === undefined) return cost;
    const { payer, background = false } = request;
    if (payer === undefined) throw new Error("A model is asked on nobody's account");
    cost.#taken = await budget.take(payer, cost.expected, { background });
    return cost;
  }

  async settle(): Promise<void> {
    const taken = this.#taken;
    this.#taken = null;
    await taken?.settle(this.tokens);
  }

  hear(text: string): void {
    this.#heard += text;
  }

  report(input: number | undefined, output: number | undefined): void {
    if (input !== undefined && output !== undefined && input + output > 0) this.#reported = input + output;
  }

  get tokens(): number {
    return this.asked ? (this.#reported ?? this.#asking + tokensOf(this.#heard)) : 0;
  }
}

/** Too much was asked. Where nothing helps, it is a request that the model has refused. */
class Overflow extends Problem {
  readonly contextTokens: number | null;

  constructor(refused: Problem, contextTokens: number | null) {
    super(refused.status, refused.code, refused.message, { cause: refused.cause });
    this.contextTokens = contextTokens;
  }
}

/** null: another failure. */
function overflowOf(error: unknown): Overflow | null {
  const status = statusOf(error);
  if (status !== 400 && status !== 413 && status !== 422 && status !== 500) return null;
  const body = bodyOf(error);
  return isOverflow(body) ? new Overflow(failure(error, false), contextOf(body)) : null;
}

class MalformedAnswer extends Error {}
class CutAnswer extends Error {}
class Refused extends Error {}

/** The provider's error for a stream that ended without a finish reason. */
const endsEarly = (error: unknown) => error instanceof Error && error.name === "AI_InvalidResponseDataError";

function failure(error: unknown, timedOut: boolean): Problem {
  const cause = new Error(summary(error));
  const again = "Попробуйте еще раз через минуту.";
  if (timedOut) return upstream("model_timeout", `Модель не ответила вовремя. ${again}`, { cause });
  if (error instanceof Refused)
    return upstream("model_refused", "Модель отказалась отвечать на это сообщение.", { cause });
  if (error instanceof CutAnswer) return upstream("model_cut", `Ответ модели оборвался. ${again}`, { cause });
  if (error instanceof MalformedAnswer)
    return upstream("model_malformed", `Модель прислала непонятный ответ. ${again}`, { cause });
  const status = statusOf(error);
  const wait = retryAfter(error);
  if (status === 429)
    return upstream("model_busy", `Модель перегружена. ${again}`, {
      cause,
      ...(wait === undefined ? {} : { retryAfter: wait }),
    });
  if (status === 401 || status === 403)
    return upstream("model_rejected", "Модель не приняла ключ доступа. Проверьте настройки модели.", { cause });
  if (status !== undefined && status >= 400 && status < 500)
    return upstream("model_rejected", "Модель не приняла запрос. Проверьте настройки модели.", { cause });
  const cut = status === 200 || (error instanceof TypeError && error.message === "terminated");
  if (cut) return upstream("model_cut", `Ответ модели оборвался. ${again}`, { cause });
  return upstream("model_failed", `Модель не ответила. ${again}`, {
    cause,
    ...(wait === undefined ? {} : { retryAfter: wait }),
  });
}
