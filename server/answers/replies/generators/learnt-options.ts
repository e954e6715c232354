/**
 * Learns which options of a request a server accepts: how it can be made to return JSON, whether a temperature may be set, and how thinking
 * is switched off, which only costs time and tokens where the sources are given. What it refuses is left out from then on.
 */
import { hostOf } from "#server/models/remote/local-hosts.ts";
import { RECORD_SCHEMA } from "../record/answer-record.ts";
import { VERDICT_SCHEMA } from "../record/verifier.ts";

/** How a server is made to return JSON; absent: the prompt alone asks for it. */
type AnswerFormat = { name: string; schema: object } | "json";

/** Options that a server may refuse. */
export type RefusableOption = "format" | "temperature" | "thinking";

type Switch = Record<string, string | boolean | Record<string, string | boolean>>;
type Purpose = "record" | "verdict" | "text";

export interface AskedOptions {
  format: AnswerFormat | undefined;
  temperature: number | undefined;
  /** Fields of the request's body that are not OpenAI's, and `reasoningEffort`. */
  besides: Switch;
}

const SCHEMAS: Record<Exclude<Purpose, "text">, Exclude<AnswerFormat, "json">> = {
  record: { name: "answer", schema: RECORD_SCHEMA },
  verdict: { name: "verdict", schema: VERDICT_SCHEMA },
};
const MODES = ["schema", "json", "words"] as const;
/** An answer repeats its sources, but in its owner's manner; a verdict has no manner. */
const TEMPERATURE: Record<Purpose, number> = { record: 0.3, text: 0.3, verdict: 0 };

/** OpenAI (before 5.1 without «none»), Gemini, Groq, Ollama, Yandex AI Studio. */
const BY_EFFORT: readonly Switch[] = [
  { reasoningEffort: "none" },
  { reasoningEffort: "minimal" },
  { reasoningEffort: "low" },
];
const BY_TYPE: readonly Switch[] = [{ thinking: { type: "disabled" } }];
const TEMPLATE = { chat_template_kwargs: { enable_thinking: false } };
/** Chat templates of vLLM and llama.cpp; Ollama ignores them and reads the effort, which vLLM refuses for most models. */
const OWN_SERVER: readonly Switch[] = [{ ...TEMPLATE, reasoningEffort: "none" }, TEMPLATE];
const BY_HOST: readonly (readonly [RegExp, readonly Switch[]])[] = [
  [/(?:^|\.)openrouter\.ai$/, [{ reasoning: { enabled: false } }, { reasoning: { effort: "low" } }]],
  [/(?:^|\.)aliyuncs\.com$/, [{ enable_thinking: false }]],
  [/(?:^|\.)(?:anthropic\.com|deepseek\.com|z\.ai|bigmodel\.cn|moonshot\.(?:ai|cn)|volces\.com)$/, BY_TYPE],
  // GigaChat thinks only where it is asked to.
  [/(?:^|\.)sberbank\.ru$/, []],
];

function switchesOf(baseUrl: string, foreign: boolean): readonly Switch[] {
  const host = hostOf(baseUrl);
  return BY_HOST.find(([pattern]) => pattern.test(host))?.[1] ?? (foreign ? BY_EFFORT : OWN_SERVER);
}

export class LearntOptions {
  readonly #switches: readonly Switch[];
  #mode = 0;
  #temperature = true;
  #thinking = 0;

  /** @param foreign whether the server is somebody else's */
  constructor(baseUrl: string, foreign: boolean) {
    this.#switches = switchesOf(baseUrl, foreign);
  }

  of(purpose: Purpose): AskedOptions {
    const mode = MODES[this.#mode];
    return {
      format: purpose === "text" || mode === "words" ? undefined : mode === "json" ? "json" : SCHEMAS[purpose],
      temperature: this.#temperature ? TEMPERATURE[purpose] : undefined,
      besides: this.#switches[this.#thinking] ?? {},
    };
  }

  /**
   * Notes that the server has refused a request.
   * @param option what it has named; null: nothing, so that everything but the format is left out first
   * @returns whether it can be asked again with less
   */
  refused({ format, temperature, besides }: AskedOptions, option: RefusableOption | null): boolean {
    const thinks = this.#thinking < this.#switches.length;
    // Another answer under way may have been refused for the same option.
    const isKnown =
      (temperature !== undefined && !this.#temperature) || besides !== (this.#switches[this.#thinking] ?? besides);
    if (isKnown) return true;
    if (option === "thinking" && thinks) this.#thinking++;
    else if (option === "temperature" && this.#temperature) this.#temperature = false;
    else if (option !== "format" && (thinks || this.#temperature)) {
      this.#thinking = this.#switches.length;
      this.#temperature = false;
    } else if (format !== undefined && this.#mode < MODES.length - 1) this.#mode++;
    else return false;
    return true;
  }
}
