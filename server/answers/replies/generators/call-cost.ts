/** Cost of one model call: charged to the day's budget before the call and corrected after it. */

import type { ModelBudget, Taken } from "#server/accounts/twins/model-budget.ts";
import { tokensOf } from "#server/accounts/twins/model-tokens.ts";
import { modelTokens } from "#server/platform/process/metrics.ts";
import type { Turns } from "../prompt/prompt-parts.ts";
import type { ReplyRequest } from "../reply-request.ts";

/** Tokens assumed for an answer that does not exist yet; most need fewer. */
export const ANSWER_TOKENS = 500;

/** Reported tokens below which a count is not believed: some servers report only what was not cached. */
const MIN_CUT = 1000;
const CUT_SHARE = 2.5;

/** Price of 1,000 tokens, in millionths of a currency unit; null: no money is counted. */
export type Prices = { input: number; output: number } | null;

/** Uses the tokens reported by the model's server, else an estimate from the length of prompt and answer. */
export class CallCost {
  readonly expected: number;
  readonly #asking: number;
  readonly #prices: Prices;
  /** Whether the model may have read the prompt; otherwise nothing is charged. */
  asked = false;
  cut = false;
  #taken: Taken | null = null;
  #heard = "";
  #reported: { input: number; output: number } | null = null;

  constructor({ system, messages }: { system: string; messages: Turns }, prices: Prices) {
    this.#prices = prices;
    this.#asking = tokensOf([system, ...messages.map(({ content }) => content)].join("\n"));
    this.expected = this.#asking + ANSWER_TOKENS;
  }

  /** Charges the expected cost to the day's budget. @throws Problem 429 */
  static async take(
    request: Pick<ReplyRequest, "payer" | "background">,
    prompt: { system: string; messages: Turns },
    { budget, prices }: { budget: ModelBudget | undefined; prices: Prices },
  ): Promise<CallCost> {
    const cost = new CallCost(prompt, prices);
    if (budget === undefined) return cost;
    const { payer, background = false } = request;
    if (payer === undefined) throw new Error("A model is asked on nobody's account");
    const money = cost.#priceOf({ input: cost.#asking, output: ANSWER_TOKENS });
    cost.#taken = await budget.take(payer, cost.expected, { background, money });
    return cost;
  }

  async settle(): Promise<void> {
    const taken = this.#taken;
    this.#taken = null;
    const { input, output } = this.#counted();
    if (taken !== null) {
      modelTokens.inc({ generator: "remote", direction: "read" }, input);
      modelTokens.inc({ generator: "remote", direction: "written" }, output);
    }
    await taken?.settle(input + output, this.#priceOf({ input, output }));
  }

  hear(text: string): void {
    this.#heard += text;
  }

  report(input: number | undefined, output: number | undefined): void {
    if (input !== undefined && output !== undefined && input + output > 0) this.#reported = { input, output };
  }

  /**
   * Tokens that the server has read when it has silently cut a longer prompt, as Ollama does to its own default context; null: it has read
   * all. Tokenizers differ from the estimate by less than two.
   */
  get readOnly(): number | null {
    const input = this.#reported?.input ?? 0;
    return input >= MIN_CUT && this.#asking > input * CUT_SHARE ? input : null;
  }

  #counted(): { input: number; output: number } {
    if (!this.asked) return { input: 0, output: 0 };
    return this.#reported ?? { input: this.#asking, output: tokensOf(this.#heard) };
  }

  #priceOf({ input, output }: { input: number; output: number }): number {
    return this.#prices === null ? 0 : Math.ceil((input * this.#prices.input + output * this.#prices.output) / 1000);
  }
}
