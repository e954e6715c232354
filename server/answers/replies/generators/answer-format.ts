/** Learns how a server can be made to return JSON: by a schema, by JSON mode, or by the words of the prompt alone. */
import { RECORD_SCHEMA } from "../record/answer-record.ts";
import { VERDICT_SCHEMA } from "../record/verifier.ts";
import type { AnswerFormat } from "./llm-call.ts";

type Schema = Exclude<AnswerFormat, "json">;

export const RECORD_FORMAT: Schema = { name: "answer", schema: RECORD_SCHEMA };
export const VERDICT_FORMAT: Schema = { name: "verdict", schema: VERDICT_SCHEMA };

const MODES = ["schema", "json", "words"] as const;

export class LearntFormat {
  #mode = 0;

  of(schema: Schema): AnswerFormat | undefined {
    const mode = MODES[this.#mode];
    return mode === "schema" ? schema : mode === "json" ? "json" : undefined;
  }

  /** Returns whether the server can be asked again with a lesser format. */
  stepDown(): boolean {
    if (this.#mode >= MODES.length - 1) return false;
    this.#mode++;
    return true;
  }
}
