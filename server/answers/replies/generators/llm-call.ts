import { setTimeout as sleep } from "node:timers/promises";
import type { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import { isBusy, isContentRefusal, retryAfter, summary } from "#server/models/remote/provider-errors.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { CallCost } from "./call-cost.ts";
import type { AskedOptions } from "./learnt-options.ts";
import {
  CutAnswer,
  failure,
  isUnfinishedStream,
  MalformedAnswer,
  ModelRefused,
  Overflow,
  overflowOf,
} from "./llm-failures.ts";
import { isOverflow } from "./non-streaming-answers.ts";

/** Seconds. A shorter `Retry-After` is waited for once; a longer one is left to the user. */
const LONGEST_RETRY_AFTER = 5;

export interface CalledModel {
  chat: ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;
  firstTokenMs: number;
  /** Milliseconds until the last token, retries included. */
  totalMs: number;
  /** Called before the request. @throws NotAllowed when this payer's data must not leave the server */
  leave: ((payer: Payer | undefined) => Promise<void>) | undefined;
}

interface Call {
  prompt: Pick<Prompt, "system" | "messages">;
  cost: CallCost;
  options: AskedOptions;
  payer: Payer | undefined;
}

/**
 * Reads the provider's stream directly: a reply of 40 tokens costs 1.0 ms of CPU instead of 4.3 with `streamText`, whose tools, steps,
 * telemetry and retries are not needed.
 * @throws Overflow when the prompt is too long; Problem 502 for any other failure; the signal's reason when aborted
 */
export async function* streamAnswer(
  { chat, firstTokenMs, totalMs, leave }: CalledModel,
  { prompt, cost, options, payer }: Call,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const deadline = performance.now() + totalMs;
  const clock = new AbortController();
  const stopped = AbortSignal.any([signal, clock.signal]);
  let timer = setTimeout(() => clock.abort(), Math.min(firstTokenMs, totalMs));
  let reader: Awaited<ReturnType<typeof open>> | undefined;
  let ended = false;
  try {
    await leave?.(payer);
    cost.asked = true;
    reader = await open({ chat, prompt, options, signal: stopped, deadline }).catch((error: unknown) => {
      // The request was rejected or never arrived, so the model has read nothing.
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
        if (isContentRefusal(part.error)) throw new ModelRefused();
        throw isUnfinishedStream(part.error) ? new CutAnswer() : new MalformedAnswer(summary(part.error));
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
      if (part.type === "finish" && isRefusal(part.finishReason)) throw new ModelRefused();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Overflow) throw error;
    const overflow = clock.signal.aborted ? null : overflowOf(error);
    throw overflow ?? failure(error, clock.signal.aborted);
  } finally {
    clearTimeout(timer);
    // A consumer that stops early ends the request too.
    if (!ended) {
      clock.abort();
      reader?.cancel().catch(() => {});
    }
  }
}

interface Opening extends Pick<Call, "prompt" | "options"> {
  chat: CalledModel["chat"];
  signal: AbortSignal;
  deadline: number;
}

async function open({ chat, prompt, options, signal, deadline }: Opening) {
  const { format, temperature, besides } = options;
  const call = () =>
    chat.doStream({
      prompt: [
        { role: "system", content: prompt.system },
        ...prompt.messages.map(({ role, content }) => ({
          role,
          content: [{ type: "text" as const, text: content }],
        })),
      ],
      ...(format === undefined
        ? {}
        : { responseFormat: format === "json" ? { type: "json" } : { type: "json", ...format } }),
      ...(temperature === undefined ? {} : { temperature }),
      // By the name of the provider (llm-generator.ts).
      providerOptions: { model: besides },
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

/** GigaChat reports a refusal as «blacklist» (developers.sber.ru, «Квоты и ограничения»). */
const isRefusal = ({ unified, raw }: { unified: string; raw?: string | undefined }): boolean =>
  unified === "content-filter" || raw === "blacklist";
