/**
 * The probability that the owner would send an answer as it stands: a logistic model over what the check and the verifier found
 * (docs/decisions/040-answer-records.md; fitted by `npm run bench:answers -- --fit`).
 */
import type { RecordedAnswer } from "../recorded-answer.ts";
import { WEIGHTS } from "./send-weights.ts";

/** In the order of `WEIGHTS.of`. Each is 0..1. */
export const FEATURES = [
  "faulty",
  "repaired",
  "loose",
  "computed",
  "unverified",
  "unsupported",
  "coversPart",
  "coversNone",
  "doubt",
  "partly",
  "remark",
  "act",
  "noSource",
] as const;

type Judged = Pick<RecordedAnswer, "record" | "checked" | "faults" | "verdict" | "repaired" | "unverified">;

export function featuresOf({ record, checked, faults, verdict, repaired, unverified }: Judged): number[] {
  const { kind, sources } = record;
  const states = kind === "answered" || kind === "partly";
  const values: Record<(typeof FEATURES)[number], number | boolean> = {
    faulty: faults.length > 0,
    repaired,
    loose: checked.amounts === 0 ? 0 : Math.min(1, checked.loose / checked.amounts),
    computed: checked.computed > 0,
    unverified,
    unsupported: verdict !== null && verdict.unsupported.length > 0,
    coversPart: verdict?.covers === "part" && kind === "answered",
    coversNone: verdict?.covers === "none",
    doubt: verdict === null ? 0 : (10 - verdict.score) / 10,
    partly: kind === "partly",
    remark: kind === "remark",
    act: kind === "act",
    noSource: states && sources.length === 0,
  };
  return FEATURES.map((name) => Number(values[name]));
}

export function sendProbability(answer: Judged): number {
  const features = featuresOf(answer);
  const sum = features.reduce((all, value, at) => all + value * WEIGHTS.of[at]!, WEIGHTS.bias);
  return 1 / (1 + Math.exp(-sum));
}
