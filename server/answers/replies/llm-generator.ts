/** Generator for an OpenAI-compatible model. When it fails, the reply fails: no other engine takes over. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelBudget, Payer } from "#server/accounts/twins/model-budget.ts";
import { createVault, redact, restoring } from "#server/knowledge/language/redact.ts";
import { isForeign } from "#server/models/remote/model-address.ts";
import { upstream } from "#server/platform/errors.ts";
import { checkedAnswer, NothingSaid } from "./checking/checked-answer.ts";
import type { Generator } from "./generator.ts";
import { ANSWER_TOKENS, CallCost, type Prices } from "./generators/call-cost.ts";
import { type CalledModel, streamAnswer } from "./generators/llm-call.ts";
import { Overflow } from "./generators/llm-failures.ts";
import { streamingFetch } from "./generators/non-streaming-answers.ts";
import { type ReasoningHabits, stripReasoning } from "./generators/reasoning-text.ts";
import { scriptedReply } from "./generators/scripted-reply.ts";
import { buildPrompt, type Prompt } from "./prompt/prompt.ts";
import { MIN_PROMPT_CHARS, promptCharsFor } from "./prompt/prompt-budget.ts";
import type { AnswerNotes, ReplyRequest } from "./reply-request.ts";

export interface ModelSettings {
  /** Base URL with the version: https://api.openai.com/v1 */
  baseUrl: string;
  apiKey?: string | null;
  model: string;
  /** Milliseconds until the first token; default 30 s. */
  firstTokenMs?: number;
  /** Milliseconds until the last token, retries included; default 120 s. */
  totalMs?: number;
  /** Budget charged for each call; absent: nothing is charged (benchmarks). */
  budget?: ModelBudget;
  /** The model's context in tokens; a smaller one is learnt when the server rejects a prompt. */
  contextTokens?: number;
  /** Whether phone numbers, cards and similar data are redacted; by default this depends on the address. */
  foreign?: boolean;
  /** HTTP client for the model's server; absent: plain `fetch` that follows no redirect. */
  fetch?: typeof fetch;
  /** Called before each request. @throws NotAllowed when this payer's data must not leave the server */
  leave?: (payer: Payer | undefined) => Promise<void>;
  prices?: Prices;
}

/** Context, in tokens, assumed when the model does not report it; current models have more. */
const DEFAULT_CONTEXT = 16_384;
/** A rejected prompt is retried with this share of its parts, at most `SHRINKS` times. */
const SHRINK = 0.6;
const SHRINKS = 5;
export function llmGenerator(settings: ModelSettings): Generator {
  const { baseUrl, apiKey, model, firstTokenMs = 30_000, totalMs = 120_000, budget, leave, prices = null } = settings;
  const foreign = settings.foreign ?? isForeign(baseUrl);
  const chat = createOpenAICompatible({
    name: "model",
    baseURL: baseUrl,
    ...(apiKey ? { apiKey } : {}),
    // Token counts arrive with the last part of the stream.
    includeUsage: true,
    // A redirect would send the key and the messages to an address that was not allowed.
    fetch: streamingFetch(settings.fetch ?? ((input, init) => fetch(input, { ...init, redirect: "error" }))),
  }).chatModel(model);
  const called: CalledModel = { chat, firstTokenMs, totalMs, leave };

  const notes = new WeakMap<ReplyRequest, AnswerNotes>();
  const habits: ReasoningHabits = { unmarked: null };
  /** Characters for the parts of a prompt, see `promptCharsFor`; reduced when the server rejects a prompt. */
  let room = promptCharsFor(settings.contextTokens ?? DEFAULT_CONTEXT, ANSWER_TOKENS);

  async function* generate(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const { opening, whole } = scriptedReply(request);
    if (whole !== null) {
      yield whole;
      return;
    }
    // The budget is charged before the first output, so that a refusal still gets its own HTTP status.
    let prompt = hide(request, null);
    let cost = await CallCost.take(request, prompt, { budget, prices });
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

    /** A repeated question is a separate call with its own cost; a prompt that was too long is shortened within the same call. */
    async function* attempt(complaint: string | null): AsyncGenerator<string> {
      if (complaint !== null) {
        await cost.settle();
        prompt = hide(request, complaint);
        cost = await CallCost.take(request, prompt, { budget, prices });
      }
      for (let left = SHRINKS; ; left--) {
        try {
          const restored = restoring(prompt.vault);
          for await (const delta of stripReasoning(
            streamAnswer(called, { prompt, cost, payer: request.payer }, signal),
            habits,
          )) {
            const text = restored.push(delta);
            if (text !== "") yield text;
          }
          yield restored.end();
          return;
        } catch (error) {
          if (!(error instanceof Overflow) || left === 0 || room <= MIN_PROMPT_CHARS) throw error;
          const told = error.contextTokens === null ? room : promptCharsFor(error.contextTokens, ANSWER_TOKENS);
          room = Math.max(MIN_PROMPT_CHARS, Math.min(Math.min(room, sizeOf(prompt)) * SHRINK, told));
          prompt = hide(request, complaint);
        }
      }
    }
  }

  function hide(request: ReplyRequest, complaint: string | null): HiddenPrompt {
    const vault = createVault();
    const hidden = (text: string) => (foreign ? redact(text, vault) : text);
    const { system, messages, ...rest } = buildPrompt(request, { room, complaint });
    return {
      system: hidden(system),
      messages: messages.map((turn) => ({ ...turn, content: hidden(turn.content) })),
      ...rest,
      vault,
    };
  }

  return { name: "llm", generate, notes: (request) => notes.get(request) };
}

const sizeOf = ({ system, messages }: Prompt) =>
  messages.reduce((sum, { content }) => sum + content.length, system.length);

interface HiddenPrompt extends Prompt {
  vault: ReturnType<typeof createVault>;
}
