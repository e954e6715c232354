/** The characters that a model's prompt may have: by what the server says that it reads, by the price, and by what it has refused. */
import { askContextLength } from "#server/models/remote/context-length.ts";
import { DEFAULT_PROMPT_CHARS, MIN_PROMPT_CHARS, promptCharsFor } from "../prompt/prompt-budget.ts";
import { ANSWER_TOKENS } from "./call-cost.ts";
import { Overflow } from "./llm-failures.ts";

/** Context, in tokens, assumed until the server tells it. */
const DEFAULT_CONTEXT = 16_384;
/** A server that could not tell its context is asked again after this time. */
const ASKED_AGAIN_MS = 600_000;
/** A rejected prompt is retried with this share of its parts, at most `SHRINKS` times. */
const SHRINK = 0.6;
export const SHRINKS = 5;

interface Options {
  /** Absent: the server is asked. */
  contextTokens: number | undefined;
  /** See `promptTokensFor`; absent: as many as a usual prompt has. */
  promptTokens: number | undefined;
  server: Parameters<typeof askContextLength>[0];
}

export class PromptRoom {
  readonly #server: Options["server"];
  /** Characters that are worth their price. */
  readonly #affordable: number;
  #chars: number;
  #hasShrunk = false;
  /** null: the server has told its context, or need not be asked. */
  #askedAt: number | null;

  constructor({ contextTokens, promptTokens = 0, server }: Options) {
    this.#server = server;
    this.#affordable = Math.max(DEFAULT_PROMPT_CHARS, promptCharsFor(promptTokens, 0));
    this.#chars = this.#charsFor(contextTokens ?? DEFAULT_CONTEXT);
    this.#askedAt = contextTokens === undefined ? Number.NEGATIVE_INFINITY : null;
  }

  get chars(): number {
    return this.#chars;
  }

  get isSmallest(): boolean {
    return this.#chars <= MIN_PROMPT_CHARS;
  }

  /**
   * Asks the server before the first answer, and later again while it cannot tell, as Ollama before it has loaded the model.
   * @param leave throws where the server may not be asked, which the answer's own call then tells
   */
  async learn(leave: () => Promise<void>): Promise<void> {
    if (this.#askedAt === null || performance.now() - this.#askedAt < ASKED_AGAIN_MS) return;
    this.#askedAt = performance.now();
    try {
      await leave();
    } catch {
      return;
    }
    const found = await askContextLength(this.#server);
    if (found === null) return;
    const told = this.#charsFor(found.tokens);
    // What a refusal has shown is sure.
    this.#chars = this.#hasShrunk ? Math.min(told, this.#chars) : told;
    if (found.told) this.#askedAt = null;
  }

  /**
   * Reduces the room after a prompt of `size` characters was rejected.
   * @param left tries that are left
   * @returns whether another try may help
   */
  shrink(error: unknown, left: number, size: number): boolean {
    if (!(error instanceof Overflow) || left === 0 || this.isSmallest) return false;
    this.#hasShrunk = true;
    const told = error.contextTokens === null ? this.#chars : promptCharsFor(error.contextTokens, ANSWER_TOKENS);
    this.#chars = Math.max(MIN_PROMPT_CHARS, Math.min(Math.min(this.#chars, size) * SHRINK, told));
    return true;
  }

  #charsFor(contextTokens: number): number {
    return Math.min(promptCharsFor(contextTokens, ANSWER_TOKENS), this.#affordable);
  }
}
