/**
 * Generator that uses the model on this machine. When the model fails, the embedded engine answers and `fellBack` reports it, so no reply
 * is lost. A reply is yielded only when complete, because a partial answer cannot be withdrawn.
 */

import type { ModelAbility } from "#contract/models/remote-model.ts";
import { ModelFailure, TooLong } from "#server/models/host/failures.ts";
import type { Asking, ModelHost } from "#server/models/host/model-host.ts";
import { upstream } from "#server/platform/errors.ts";
import type { Log } from "#server/platform/log.ts";
import { planOfAnswer } from "./checking/answer-plan.ts";
import { checkedAnswer, NothingSaid } from "./checking/checked-answer.ts";
import { bothReadersAgree } from "./checking/readers-agree.ts";
import { type Generator, isModelAsked } from "./generator.ts";
import { attempt, type Said, seedOf } from "./generators/local-attempt.ts";
import { prefillNextPrompt } from "./generators/prefill-next-prompt.ts";
import { type ReasoningHabits, stripReasoning } from "./generators/reasoning-text.ts";
import { scriptedReply, withOpening } from "./generators/scripted-reply.ts";
import { isAnsweredSocially } from "./owner-words/friend-policy.ts";
import { buildPrompt, type PromptOptions } from "./prompt/prompt.ts";
import { DEFAULT_PROMPT_CHARS, promptCharsFor } from "./prompt/prompt-budget.ts";
import { fenceOf } from "./prompt/prompt-fence.ts";
import type { AnswerNotes, ReplyRequest } from "./reply-request.ts";
import { embeddedReply } from "./wording/embedded-reply.ts";

export interface LocalModelOptions {
  host: ModelHost;
  log: Log;
  /** Milliseconds for a whole reply, without the time in the queue. */
  totalMs: number;
  /** Milliseconds for reading a prompt; after a slower one the next prompt is shorter. */
  readMs?: number;
  /** Characters for the variable parts of a prompt, whatever the machine's speed. Absent: adapted to that speed. */
  room?: number;
  /** Name of the model; absent: it is not shown. */
  model?: string;
  /** What the model's exam lets it do now; absent or undefined: no exam was taken. */
  ability?: () => ModelAbility | undefined;
}

/** About a thousand Russian letters; a longer answer takes minutes on a CPU. */
const MAX_TOKENS = 300;
/** High enough to imitate a style, too low for inventions. */
const TEMPERATURE = 0.3;
const TRIES = 6;
/** Limited because the asker waits this long for the first word, and generation is slow as well. */
const READ_MS = 15_000;
/** Shares of the usual prompt length: the first prompt of a model, the minimum and the maximum. */
const SHARES = { first: 0.1, least: 0.02, most: 1 };

export function localGenerator(options: LocalModelOptions): Generator {
  const { host, log, totalMs, readMs = READ_MS, room: fixed } = options;
  const fallen = new WeakSet<ReplyRequest>();
  const notes = new WeakMap<ReplyRequest, AnswerNotes>();
  const habits: ReasoningHabits = { unmarked: null };
  /** A model that has not passed an exam often states what is wrong, so its words need the extractive reader's agreement. */
  const isTrusted = () => options.ability?.() === "answers";
  /** Share of the usual prompt length that fits the model's context and this machine's speed. */
  let share = SHARES.first;
  const scale = (by: number) => {
    share = Math.min(SHARES.most, Math.max(SHARES.least, share * by));
  };

  async function* generate(request: ReplyRequest, signal: AbortSignal): AsyncGenerator<string> {
    signal.throwIfAborted();
    const { opening, whole } = scriptedReply(request);
    if (whole !== null) {
      yield whole;
      return;
    }
    if (!isModelAsked({ name: "llm", ability: options.ability?.() }, request)) {
      yield withOpening(opening, embeddedReply(request));
      return;
    }
    yield "";
    try {
      const { text, prefillNext } = await checked(request, signal);
      const said = withOpening(opening, text);
      yield said;
      prefillNext(said);
    } catch (caught) {
      signal.throwIfAborted();
      const error = caught instanceof NothingSaid ? new ModelFailure("refused", "it said nothing") : caught;
      if (!(error instanceof ModelFailure)) throw error;
      // A background request measures the model, so the embedded engine must not replace it.
      if (request.background)
        throw upstream("model_failed", "Модель не ответила. Попробуйте еще раз через минуту.", {
          cause: error,
          ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
        });
      if (error.reason === "late" || error.reason === "hung") scale(0.5);
      log.warn({ reason: error.reason }, "the local model did not answer: the embedded engine did");
      fallen.add(request);
      yield withOpening(opening, embeddedReply(request));
    }
  }

  /**
   * Returns the whole checked reply, because the embedded engine may still have to answer. Call `prefillNext` once it is sent.
   * @throws ModelFailure, NothingSaid
   */
  async function checked(
    request: ReplyRequest,
    signal: AbortSignal,
  ): Promise<{ text: string; prefillNext(said: string): void }> {
    const secrets = [fenceOf(request.payer?.twinId ?? "")];
    const latest: { written?: Written } = {};
    const answer = checkedAnswer(request, secrets, (complaint) =>
      attempt(async () => {
        latest.written = await written(request, complaint, signal);
        return latest.written;
      }),
    );
    let text = "";
    let next = await answer.next();
    for (; !next.done; next = await answer.next()) text += next.value;
    const found = next.value;
    const { prefillNext } = latest.written!;
    if (isUnsure(request, text.trim(), found)) {
      notes.set(request, { ...found, kind: "unsure" });
      return { text: embeddedReply(request), prefillNext };
    }
    notes.set(request, found);
    return { text: text.trim(), prefillNext };
  }

  /** Whether the answer is so weakly supported that only the owner may read it, as a draft. */
  function isUnsure(request: ReplyRequest, text: string, found: AnswerNotes): boolean {
    // Each sentence of a reply to a friend was checked already, and none states a fact.
    if (request.drafted || isAnsweredSocially(request)) return false;
    // Inventions of such a model tell the owner nothing, so the extractive reader's answer is kept.
    if (found.kind === "held") return !isTrusted();
    return !!planOfAnswer(request, text, found).held || (!isTrusted() && !bothReadersAgree(request, text, found));
  }

  /** @throws ModelFailure */
  async function written(request: ReplyRequest, complaint: string | null, signal: AbortSignal): Promise<Written> {
    const { payer, background = false } = request;
    const userId = `${payer?.userId ?? ""}${background ? " in the background" : ""}`;
    const asking = { asker: { organizationId: payer?.organizationId ?? "", userId }, signal, totalMs };
    // Loading the model must not count as reading time.
    const { generator } = await host.facts(signal);
    const brief = !isTrusted();
    const most = promptCharsFor(generator?.contextTokens ?? 0, MAX_TOKENS);
    let room = Math.min(fixed ?? stepped(share * DEFAULT_PROMPT_CHARS), most);
    const begunWith = room;
    for (let left = TRIES; left > 0; left--) {
      try {
        const { readingMs, ...said } = await ask(request, { room, complaint, brief }, asking);
        if (room < begunWith) share = Math.min(share, room / DEFAULT_PROMPT_CHARS);
        if (readingMs > readMs) scale(Math.max(0.3, readMs / readingMs));
        else if (readingMs < readMs / 2) scale(1.2);
        return {
          ...said,
          prefillNext: (text) => prefillNextPrompt(host, request, { prompt: { room, brief }, said: text }),
        };
      } catch (error) {
        if (!(error instanceof TooLong)) throw error;
        // Some parts do not shrink, so the room is reduced slightly more than proportionally.
        room *= Math.min(0.8, (error.room / error.tokens) * 0.9);
      }
    }
    throw new ModelFailure("refused", "the message itself is too long");
  }

  async function ask(request: ReplyRequest, options: PromptOptions, asking: Asking): Promise<Asked> {
    const { system, messages } = buildPrompt(request, options);
    const generation = host.generate(
      {
        turns: [{ role: "system", content: system }, ...messages],
        ...{ maxTokens: MAX_TOKENS, seed: seedOf(request), stop: [], grammar: null },
        temperature: TEMPERATURE,
      },
      asking,
    );
    let cut = false;
    // Time in the queue counts too, so a busy model gets shorter prompts.
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
      for await (const delta of stripReasoning(deltas(), habits)) said += delta;
      return { said, cut, readingMs: firstAt - begun };
    } finally {
      // Leaving the stream early ends the generation.
      await generation.return({ stopped: "end", input: 0, output: 0, reused: 0 });
    }
  }

  return {
    ...{ name: "llm", local: true, model: options.model, generate },
    get ability() {
      return options.ability?.();
    },
    notes: (request) => notes.get(request),
    fellBack: (request) => fallen.has(request),
  };
}

/** The prompt's room changes in coarse steps: each change alters the parts shown, and the model must read the conversation again. */
const STEP = 1.5;
const stepped = (room: number): number => STEP ** Math.floor(Math.log(room) / Math.log(STEP));

interface Asked extends Said {
  /** Milliseconds for reading the prompt. */
  readingMs: number;
}

interface Written extends Said {
  /** Reads the prompt of the next message ahead; call it once `said` is sent. */
  prefillNext(said: string): void;
}
