/** Generator for an OpenAI-compatible model. When it fails, the reply fails: no other engine takes over. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelAbility } from "#contract/models/remote-model.ts";
import type { ModelBudget, Payer } from "#server/accounts/twins/model-budget.ts";
import { createVault, redact, restoring } from "#server/knowledge/language/redact.ts";
import { isForeign } from "#server/models/remote/model-address.ts";
import { upstream } from "#server/platform/errors.ts";
import { checkedAnswer, NothingSaid } from "./checking/checked-answer.ts";
import { type FreeText, type Generator, isModelAsked } from "./generator.ts";
import { CallCost, type Prices } from "./generators/call-cost.ts";
import { LearntOptions, type Purpose } from "./generators/learnt-options.ts";
import { type CalledModel, streamAnswer } from "./generators/llm-call.ts";
import { failure, Overflow, RequestRefused } from "./generators/llm-failures.ts";
import { streamingFetch } from "./generators/non-streaming-answers.ts";
import { PromptRoom, SHRINKS } from "./generators/prompt-room.ts";
import { type ReasoningHabits, stripReasoning } from "./generators/reasoning-text.ts";
import { scriptedReply, withOpening } from "./generators/scripted-reply.ts";
import { isAnsweredSocially } from "./owner-words/friend-policy.ts";
import { buildPrompt, type Prompt } from "./prompt/prompt.ts";
import { fenceOf } from "./prompt/prompt-fence.ts";
import { answerByRecord, type RecordCalls, type Written } from "./record/answer-by-record.ts";
import { buildRecordPrompt, knowledgeRoomOf } from "./record/record-prompt.ts";
import { notesOf, wordsOf } from "./record/record-words.ts";
import type { AnswerNotes, ReplyRequest } from "./reply-request.ts";
import { embeddedReply } from "./wording/embedded-reply.ts";

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
  /** The model's context in tokens; a smaller one is learnt when the server rejects a prompt. Absent: the server is asked. */
  contextTokens?: number;
  /** Tokens that a prompt may have for its price, see `promptTokensFor`; absent: as many as a usual prompt has. */
  promptTokens?: number;
  /** Whether phone numbers, cards and similar data are redacted; by default this depends on the address. */
  foreign?: boolean;
  /** HTTP client for the model's server; absent: plain `fetch` that follows no redirect. */
  fetch?: typeof fetch;
  /** Called before each request. @throws NotAllowed when this payer's data must not leave the server */
  leave?: (payer: Payer | undefined) => Promise<void>;
  prices?: Prices;
  /** What the model's exam lets it do now; absent or undefined: everything. */
  ability?: () => ModelAbility | undefined;
}

/** Answers in a row that are no records, after which the model is asked for plain text. */
const PLAIN_ANSWERS = 2;

export function llmGenerator(settings: ModelSettings): Generator {
  const { baseUrl, apiKey, model, firstTokenMs = 30_000, totalMs = 120_000, budget, leave, prices = null } = settings;
  const abilityNow = () => settings.ability?.() ?? "answers";
  const foreign = settings.foreign ?? isForeign(baseUrl);
  // A redirect would send the key and the messages to an address that was not allowed.
  const send: typeof fetch = settings.fetch ?? ((input, init) => fetch(input, { ...init, redirect: "error" }));
  const authorized: typeof fetch = (input, init) =>
    send(input, { ...init, headers: { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...init?.headers } });
  const provider = (supportsStructuredOutputs: boolean) =>
    createOpenAICompatible({
      name: "model",
      baseURL: baseUrl,
      ...(apiKey ? { apiKey } : {}),
      // Token counts arrive with the last part of the stream.
      includeUsage: true,
      supportsStructuredOutputs,
      fetch: streamingFetch(send),
    }).chatModel(model);
  const called = { chat: provider(true), firstTokenMs, totalMs, leave } satisfies CalledModel;
  const calledForJson: CalledModel = { ...called, chat: provider(false) };

  const notes = new WeakMap<ReplyRequest, AnswerNotes>();
  const habits: ReasoningHabits = { unmarked: null };
  const options = new LearntOptions(baseUrl, foreign);
  /** Answers in a row that were no records. */
  let plainAnswers = 0;
  const room = new PromptRoom({
    contextTokens: settings.contextTokens,
    promptTokens: settings.promptTokens,
    server: { baseUrl, model, foreign, send: authorized },
  });

  async function* generate(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const ability = abilityNow();
    const { opening, whole } = scriptedReply(request);
    if (whole !== null) {
      yield whole;
      return;
    }
    if (!isModelAsked({ name: "llm", ability }, request)) {
      yield withOpening(opening, embeddedReply(request));
      return;
    }
    await room.learn(async () => leave?.(request.payer));
    signal.throwIfAborted();
    const byRecord = ability === "answers" && plainAnswers < PLAIN_ANSWERS && !isAnsweredSocially(request);
    try {
      if (!byRecord) yield* plainAnswer(request, signal, { opening, first: null });
      else {
        const outcome = yield* recordedAnswer(request, signal, opening);
        if (outcome !== null) yield* plainAnswer(request, signal, { opening: "", first: outcome });
      }
    } catch (error) {
      if (error instanceof NothingSaid)
        throw upstream("model_empty", "Модель прислала пустой ответ. Попробуйте еще раз через минуту.", {
          cause: error,
        });
      throw error;
    }
  }

  /** @returns the model's words when they are no record; null when the answer is complete */
  async function* recordedAnswer(
    request: ReplyRequest,
    signal: AbortSignal,
    opening: string,
  ): AsyncGenerator<string, Written | null> {
    // The budget is charged before the first output, so that a refusal still gets its own HTTP status.
    let first: CallCost | null = await takeCost(request, buildRecordPrompt(request, room.chars));
    try {
      yield opening;
      const calls: RecordCalls = {
        write: async (prompt) => {
          const cost = first ?? (await takeCost(request, prompt));
          first = null;
          return call(request, prompt, {
            cost,
            purpose: request.tools?.mayCall ? "record-with-call" : "record",
            signal,
          });
        },
        verify: async (prompt) => {
          try {
            // Without budget the answer is judged by code alone.
            const cost = await takeCost(request, prompt);
            return await call(request, prompt, { cost, purpose: "verdict", signal });
          } catch {
            // An answer that could not be verified waits for the owner; it need not fail.
            signal.throwIfAborted();
            return null;
          }
        },
      };
      const answer = await withinContext(request, (chars) => answerByRecord(request, chars, calls));
      if ("plain" in answer) {
        plainAnswers++;
        return answer.plain;
      }
      plainAnswers = 0;
      if ("scripted" in answer) {
        yield answer.scripted;
        return null;
      }
      notes.set(request, notesOf(answer));
      yield wordsOf(request, answer);
      return null;
    } finally {
      await first?.settle();
    }
  }

  /** Runs `ask` again with less room while the server rejects its prompt as too long. */
  async function withinContext<T>(request: ReplyRequest, ask: (room: number) => Promise<T>): Promise<T> {
    for (let left = SHRINKS; ; left--) {
      const { chars } = room;
      try {
        return await ask(chars);
      } catch (error) {
        if (!room.shrink(error, left, sizeOf(buildRecordPrompt(request, chars)))) throw error;
      }
    }
  }

  const takeCost = (asked: Charged, prompt: Pick<Prompt, "system" | "messages">) =>
    CallCost.take(asked, prompt, { budget, prices });

  async function write({ system, message, payer }: FreeText, signal: AbortSignal): Promise<string> {
    const asked: Charged = { payer, background: true };
    const prompt = hidden(asked, { system, messages: [{ role: "user", content: message }] });
    const cost = await takeCost(asked, prompt);
    try {
      const restored = restoring(prompt.vault);
      let text = "";
      const deltas = spoken(asked, prompt, { cost, purpose: "text", signal });
      for await (const delta of stripReasoning(deltas, habits)) text += restored.push(delta);
      return text + restored.end();
    } finally {
      await cost.settle();
    }
  }

  /** One whole answer to one prompt. */
  async function call(
    request: ReplyRequest,
    prompt: Pick<Prompt, "system" | "messages">,
    { cost, purpose, signal }: { cost: CallCost; purpose: Purpose; signal: AbortSignal },
  ): Promise<Written> {
    const sent = hidden(request, prompt);
    try {
      const restored = restoring(sent.vault);
      let text = "";
      for await (const delta of stripReasoning(spoken(request, sent, { cost, purpose, signal }), habits))
        text += restored.push(delta);
      if (cost.readOnly !== null && !room.isSmallest)
        throw new Overflow(failure(new Error("the server has cut the prompt"), false), cost.readOnly);
      return { text: text + restored.end(), cut: cost.cut };
    } finally {
      await cost.settle();
    }
  }

  /** What the model says; a server that refuses an option is asked again without it. */
  async function* spoken(
    request: Charged,
    prompt: HiddenPrompt,
    { cost, purpose, signal }: { cost: CallCost; purpose: Purpose; signal: AbortSignal },
  ): AsyncGenerator<string> {
    const ofRequest = options.begin(purpose);
    for (;;) {
      const { asked } = ofRequest;
      const model = asked.format === "json" ? calledForJson : called;
      try {
        for await (const delta of streamAnswer(model, { prompt, cost, options: asked, payer: request.payer }, signal)) {
          ofRequest.accepted();
          yield delta;
        }
        return;
      } catch (error) {
        if (!(error instanceof RequestRefused) || !ofRequest.refused(error.option)) throw error;
      }
    }
  }

  /** @param first what the model has already said to this request */
  async function* plainAnswer(
    request: ReplyRequest,
    signal: AbortSignal,
    { opening, first }: { opening: string; first: Written | null },
  ): AsyncGenerator<string> {
    let said = first;
    let prompt = hidden(request, buildPrompt(request, { room: room.chars }));
    let cost = said === null ? await takeCost(request, prompt) : null;
    try {
      if (said === null) yield opening;
      const secrets = [fenceOf(request.payer?.twinId ?? "")];
      const answer = checkedAnswer(request, secrets, (complaint) =>
        said === null ? { deltas: attempt(complaint), cut: () => cost?.cut ?? false } : taken(),
      );
      const found = yield* answer;
      notes.set(request, found);
    } finally {
      await cost?.settle();
    }

    function taken() {
      const { text, cut } = said!;
      said = null;
      return { deltas: once(text), cut: () => cut };
    }

    /** A repeated question is a separate call with its own cost; a prompt that was too long is shortened within the same call. */
    async function* attempt(complaint: string | null): AsyncGenerator<string> {
      if (complaint !== null || cost === null) {
        await cost?.settle();
        prompt = hidden(request, buildPrompt(request, { room: room.chars, complaint }));
        cost = await takeCost(request, prompt);
      }
      for (let left = SHRINKS; ; left--) {
        try {
          const restored = restoring(prompt.vault);
          const deltas = spoken(request, prompt, { cost, purpose: "text", signal });
          for await (const delta of stripReasoning(deltas, habits)) {
            const text = restored.push(delta);
            if (text !== "") yield text;
          }
          yield restored.end();
          return;
        } catch (error) {
          if (!room.shrink(error, left, sizeOf(prompt))) throw error;
          prompt = hidden(request, buildPrompt(request, { room: room.chars, complaint }));
        }
      }
    }
  }

  /** Data of people are redacted for a foreign model; one vault for all prompts of a request, so that each thing keeps its mark. */
  function hidden(request: Charged, { system, messages }: Pick<Prompt, "system" | "messages">): HiddenPrompt {
    const vault = vaults.get(request) ?? createVault();
    vaults.set(request, vault);
    const hide = (text: string) => (foreign ? redact(text, vault) : text);
    return {
      system: hide(system),
      messages: messages.map((turn) => ({ ...turn, content: hide(turn.content) })),
      vault,
    };
  }
  const vaults = new WeakMap<Charged, ReturnType<typeof createVault>>();

  return {
    name: "llm",
    model,
    get ability() {
      return abilityNow();
    },
    get knowledgeRoom() {
      return abilityNow() === "answers" ? knowledgeRoomOf(room.chars) : undefined;
    },
    generate,
    write,
    notes: (request) => notes.get(request),
  };
}

type Charged = Pick<ReplyRequest, "payer" | "background">;

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

const sizeOf = ({ system, messages }: Pick<Prompt, "system" | "messages">) =>
  messages.reduce((sum, { content }) => sum + content.length, system.length);

interface HiddenPrompt extends Pick<Prompt, "system" | "messages"> {
  vault: ReturnType<typeof createVault>;
}
