// The table of a strong model's answers: right, sent without the owner, wrong among the sent, and how well the probability tells them.
import { sendProbability } from "#server/answers/replies/record/send-probability.ts";
import { KINDS } from "../questions.ts";
import { VERDICTS } from "../verdict.ts";
import type { Answered } from "./ask-strong.ts";

const WITHOUT_ANSWER = new Set(["absent", "complaint", "smalltalk"]);
/** An answer that says what it should: the facts, or for what is absent an honest word. */
export const isGood = ({
  question,
  verdict,
  flaws: [, flaw],
}: Pick<Answered, "question" | "verdict" | "flaws">): boolean =>
  flaw === null && (verdict === "right" || (question.kind === "absent" && verdict === "honest"));
const isSent = ({ plan }: Answered): boolean =>
  !plan.held && plan.kind !== "unknown" && plan.confidence >= (plan.sentFrom ?? 0.7);

/** Answers that were written to be wrong are counted apart: none of them may be sent. */
export function strongTable(asked: readonly Answered[]): string {
  const flawed = asked.filter(({ flaws }) => flaws[0] !== null);
  const all = asked.filter(({ flaws }) => flaws[0] === null);
  const answerable = all.filter(({ question }) => !WITHOUT_ANSWER.has(question.kind));
  const absent = all.filter(({ question }) => question.kind === "absent");
  const rows = KINDS.map((kind) => {
    const these = all.filter(({ question }) => question.kind === kind);
    const counts = VERDICTS.map((verdict) => these.filter((one) => one.verdict === verdict).length);
    return line([
      kind,
      these.length,
      ...counts,
      these.filter(isSent).length,
      these.filter((one) => isSent(one) && !isGood(one)).length,
    ]);
  });
  const sent = all.filter(isSent);
  const scored = asked.filter(({ recorded }) => recorded !== undefined && recorded.record.kind !== "unknown");
  const points = scored.map((one) => ({ p: sendProbability(one.recorded!), good: isGood(one) }));
  const facts = [
    [
      "answerable questions right",
      share(answerable.filter(({ verdict }) => verdict === "right").length, answerable.length),
    ],
    [
      "… sent without the owner and right",
      share(answerable.filter((one) => isSent(one) && one.verdict === "right").length, answerable.length),
    ],
    ["wrong among all that were sent", share(sent.filter((one) => !isGood(one)).length, sent.length)],
    [
      "absent ones answered honestly",
      share(absent.filter(({ verdict }) => verdict === "honest").length, absent.length),
    ],
    ["held for a fault", share(all.filter(({ plan }) => plan.held).length, all.length)],
    ["repaired", share(all.filter(({ recorded }) => recorded?.repaired).length, all.length)],
    ["no record", share(all.filter(({ recorded }) => recorded === undefined).length, all.length)],
    [
      "written to be wrong: not good when they came out",
      share(flawed.filter((one) => !isGood(one)).length, flawed.length),
    ],
    ["… and sent", share(flawed.filter((one) => isSent(one) && !isGood(one)).length, flawed.length)],
    ["AUC of the probability", aucOf(points).toFixed(3)],
    ["calibration error, ten bins", calibrationErrorOf(points).toFixed(3)],
  ];
  return [
    line(["kind", "asked", ...VERDICTS, "sent", "sent, not good"]),
    line(["---", ...VERDICTS.map(() => "--:"), "--:", "--:", "--:"]),
    ...rows,
    "",
    line(["what", "figure"]),
    line(["---", "--:"]),
    ...facts.map(line),
  ].join("\n");
}

export interface Point {
  /** 0..1 */
  p: number;
  good: boolean;
}

/** The share of pairs of a good and a bad answer in which the good one has the higher probability; a tie counts half. */
export function aucOf(points: readonly Point[]): number {
  const good = points.filter((one) => one.good);
  const bad = points.filter((one) => !one.good);
  let won = 0;
  for (const { p } of good) for (const other of bad) won += p > other.p ? 1 : p === other.p ? 0.5 : 0;
  return good.length === 0 || bad.length === 0 ? Number.NaN : won / (good.length * bad.length);
}

/** Expected calibration error: the mean distance of probability and share of good ones, over ten bins weighted by size. */
export function calibrationErrorOf(points: readonly Point[]): number {
  const bins = Map.groupBy(points, ({ p }) => Math.min(9, Math.floor(p * 10)));
  let error = 0;
  for (const bin of bins.values()) {
    const mean = bin.reduce((sum, { p }) => sum + p, 0) / bin.length;
    error += Math.abs(mean - bin.filter(({ good }) => good).length / bin.length) * bin.length;
  }
  return points.length === 0 ? Number.NaN : error / points.length;
}

export function inLines({ question, verdict, text, plan, recorded, failed }: Answered): string {
  const { record, faults = [], verdict: found } = recorded ?? {};
  return [
    `${verdict} ${plan.confidence.toFixed(2)} ${plan.kind}${plan.held ? " held" : ""} ${question.id} ${question.kind}: ${question.text}`,
    `    → ${text.replaceAll("\n", " / ")}`,
    `    ${failed ?? JSON.stringify({ kind: record?.kind, sources: record?.sources, sums: record?.sums, open: record?.open, action: record?.action, repaired: recorded?.repaired, faults: faults.map(({ kind, pieces }) => [kind, ...pieces]), found })}`,
    `    facts ${JSON.stringify(question.facts)} never ${JSON.stringify(question.never)}`,
  ].join("\n");
}

const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const share = (count: number, whole: number) =>
  `${count} of ${whole} (${whole === 0 ? "–" : ((100 * count) / whole).toFixed(1)} %)`;
