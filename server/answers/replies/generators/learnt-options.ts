/**
 * Learns which options of a request a server accepts: how it can be made to return JSON, whether a temperature may be set, and how thinking
 * is switched off, which only costs time and tokens where the sources are given. What it refuses is left out from then on, once it has
 * answered without it.
 */
import { hostOf } from "#server/models/remote/local-hosts.ts";
import { RECORD_SCHEMA, RECORD_SCHEMA_WITH_CALL } from "../record/answer-record.ts";
import { VERDICT_SCHEMA } from "../record/verifier.ts";

/** How a server is made to return JSON; absent: the prompt alone asks for it. */
type AnswerFormat = { name: string; schema: object } | "json";

/** Options that a server may refuse. */
export type RefusableOption = "format" | "temperature" | "thinking";

type Switch = Record<string, string | boolean | Record<string, string | boolean>>;
export type Purpose = "record" | "record-with-call" | "verdict" | "text";

export interface AskedOptions {
  format: AnswerFormat | undefined;
  temperature: number | undefined;
  /** Fields of the request's body that are not OpenAI's, and `reasoningEffort`. */
  besides: Switch;
}

const SCHEMAS: Record<Exclude<Purpose, "text">, Exclude<AnswerFormat, "json">> = {
  record: { name: "answer", schema: RECORD_SCHEMA },
  "record-with-call": { name: "answer", schema: RECORD_SCHEMA_WITH_CALL },
  verdict: { name: "verdict", schema: VERDICT_SCHEMA },
};
const MODES = ["schema", "json", "words"] as const;
/** An answer repeats its sources, but in its owner's manner; a verdict has no manner. */
const TEMPERATURE: Record<Purpose, number> = { record: 0.3, "record-with-call": 0.3, text: 0.3, verdict: 0 };

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

/** What is still asked of a server; each value only falls, as the server refuses more. */
interface Asking {
  /** Index in `MODES`. */
  mode: number;
  temperature: boolean;
  /** Index in the switches; their number: thinking is left to the server. */
  thinking: number;
}

const lesser = (one: Asking, other: Asking): Asking => ({
  mode: Math.max(one.mode, other.mode),
  temperature: one.temperature && other.temperature,
  thinking: Math.max(one.thinking, other.thinking),
});
const isSame = (one: Asking, other: Asking): boolean =>
  one.mode === other.mode && one.temperature === other.temperature && one.thinking === other.thinking;

export class LearntOptions {
  readonly #switches: readonly Switch[];
  #learnt: Asking = { mode: 0, temperature: true, thinking: 0 };

  /** @param foreign whether the server is somebody else's */
  constructor(baseUrl: string, foreign: boolean) {
    this.#switches = switchesOf(baseUrl, foreign);
  }

  /** Begins a request with what the server is known to accept. */
  begin(purpose: Purpose): OptionsOfRequest {
    return new OptionsOfRequest(purpose, this.#switches, {
      get: () => this.#learnt,
      keep: (asking) => {
        this.#learnt = lesser(this.#learnt, asking);
      },
    });
  }
}

/** The options of one request, which is repeated with less while the server refuses it. */
class OptionsOfRequest {
  readonly #purpose: Purpose;
  readonly #switches: readonly Switch[];
  readonly #learnt: { get(): Asking; keep(asking: Asking): void };
  #asking: Asking;

  constructor(purpose: Purpose, switches: readonly Switch[], learnt: { get(): Asking; keep(asking: Asking): void }) {
    this.#purpose = purpose;
    this.#switches = switches;
    this.#learnt = learnt;
    this.#asking = learnt.get();
  }

  get asked(): AskedOptions {
    const { mode: at, temperature, thinking } = this.#asking;
    const mode = MODES[at];
    const purpose = this.#purpose;
    return {
      format: purpose === "text" || mode === "words" ? undefined : mode === "json" ? "json" : SCHEMAS[purpose],
      temperature: temperature ? TEMPERATURE[purpose] : undefined,
      besides: this.#switches[thinking] ?? {},
    };
  }

  /**
   * Leaves out what the server has refused.
   * @param option what it has named; null: nothing, so that everything but the format is left out first
   * @returns whether it can be asked again with less
   */
  refused(option: RefusableOption | null): boolean {
    const known = lesser(this.#asking, this.#learnt.get());
    // Another answer under way has learnt meanwhile what the server does not accept.
    const isKnown = !isSame(known, this.#asking);
    this.#asking = isKnown ? known : { ...known };
    if (isKnown) return true;
    const asking = this.#asking;
    const thinks = asking.thinking < this.#switches.length;
    if (option === "thinking" && thinks) asking.thinking++;
    else if (option === "temperature" && asking.temperature) asking.temperature = false;
    else if (option !== "format" && (thinks || asking.temperature)) {
      asking.thinking = this.#switches.length;
      asking.temperature = false;
    } else if (this.#purpose !== "text" && asking.mode < MODES.length - 1) asking.mode++;
    else return false;
    return true;
  }

  /** Remembers what was left out. Not before: a request may have been refused for its content, which is no option's fault. */
  accepted(): void {
    this.#learnt.keep(this.#asking);
  }
}
