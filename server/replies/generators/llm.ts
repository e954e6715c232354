/** The generator that asks an OpenAI-compatible model. A failure is the reply's failure: nothing else answers instead. */
import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type Problem, upstream } from "#server/errors.ts";
import { createVault, redact, restoring } from "#server/language/redact.ts";
import { isForeign } from "#server/models/model-address.ts";
import { isBusy, retryAfter, statusOf, summary } from "#server/models/provider-errors.ts";
import type { ModelBudget, Taken } from "#server/twins/model-budget.ts";
import { tokensOf } from "#server/twins/model-tokens.ts";
import { buildPrompt, type Prompt } from "../prompt.ts";
import type { Generator, ReplyRequest } from "./generator.ts";
import { withoutThoughts } from "./model-thoughts.ts";
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
  /** Whether phones, cards and the like are redacted; by the address when not given. */
  foreign?: boolean;
}

/** Of an answer that is not there yet: what most need. */
const ANSWER_TOKENS = 500;
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
    fetch: (input, init) => fetch(input, { ...init, redirect: "error" }),
  }).chatModel(model);

  async function* generate(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const { opening, whole } = settledWithoutModel(request);
    if (whole !== null) {
      yield whole;
      return;
    }
    const vault = createVault();
    const hidden = (text: string) => (foreign ? redact(text, vault) : text);
    const { system, messages } = buildPrompt(request);
    const prompt = {
      system: hidden(system),
      messages: messages.map((turn) => ({ ...turn, content: hidden(turn.content) })),
    };
    const cost = new CallCost(prompt);
    const taken = await take(request, cost.expected);
    try {
      yield opening;
      const restored = restoring(vault);
      let empty = true;
      for await (const delta of withoutThoughts(deltas(prompt, signal, cost))) {
        const text = restored.push(delta);
        empty &&= text.trim() === "";
        if (text !== "") yield text;
      }
      const rest = restored.end();
      if (rest !== "") yield rest;
      if (empty && rest.trim() === "")
        throw upstream("model_empty", "Модель прислала пустой ответ. Попробуйте еще раз через минуту.");
    } finally {
      await taken?.settle(cost.tokens);
    }
  }

  function take({ payer, background = false }: ReplyRequest, tokens: number): Promise<Taken> | null {
    if (budget === undefined) return null;
    if (payer === undefined) throw new Error("A model is asked on nobody's account");
    return budget.take(payer, tokens, { background });
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
        if (part.type === "error")
          throw endsEarly(part.error) ? new CutAnswer() : new MalformedAnswer(summary(part.error));
        if (part.type === "text-delta" || part.type === "reasoning-delta") {
          if (!spoke) {
            spoke = true;
            clearTimeout(timer);
            timer = setTimeout(() => clock.abort(), Math.max(0, deadline - performance.now()));
          }
          cost.hear(part.delta);
          if (part.type === "text-delta" && part.delta !== "") yield part.delta;
        }
        if (part.type === "finish") cost.report(part.usage.inputTokens.total, part.usage.outputTokens.total);
        if (part.type === "finish" && part.finishReason.unified === "content-filter") throw new Refused();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw failure(error, clock.signal.aborted);
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

  return { name: "llm", generate };
}

/** What one call costs: as the model's server says, else by the length of what was read and written. */
class CallCost {
  /** Of what is asked with a usual answer. */
  readonly expected: number;
  readonly #asking: number;
  /** The model may have read it. */
  asked = false;
  #heard = "";
  #reported: number | null = null;

  constructor({ system, messages }: Prompt) {
    this.#asking = tokensOf([system, ...messages.map(({ content }) => content)].join("\n"));
    this.expected = this.#asking + ANSWER_TOKENS;
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
