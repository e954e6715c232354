// Verdicts counted by kind of question and by how sure the twin was.
import type { Reply } from "#contract/conversations/conversations.ts";
import { KINDS, type QuestionKind } from "./questions.ts";
import { VERDICTS, type Verdict } from "./verdict.ts";

interface Counted {
  kind: QuestionKind;
  verdict: Verdict;
  /** 0..1 */
  confidence: number;
  /** What the reply rests on, as the owner sees it. */
  basis: Reply["basis"];
}

/** Replies that state something as a fact; the others quote, admit not to know, or are small talk. */
const STATEMENTS: readonly Reply["basis"][] = ["knowledge", "recurring", "corrected"];

const LEVELS = [0, 0.5, 0.65, 0.8, 1.01];
/** Neither has the documents' answer. */
const WITHOUT_ANSWER: readonly QuestionKind[] = ["absent", "complaint", "smalltalk"];

export class Tally {
  readonly #all: Counted[] = [];

  get total(): number {
    return this.#all.length;
  }

  add(one: Counted): void {
    this.#all.push(one);
  }

  /** A Markdown table: a row for each kind, one for all that the documents answer. */
  byKind(): string {
    const rows = KINDS.map((kind) => this.#row(kind, (one) => one.kind === kind));
    const answerable = this.#row("**answerable, %**", ({ kind }) => !WITHOUT_ANSWER.includes(kind), true);
    return [
      line(["kind", "asked", ...VERDICTS]),
      line(["---", ...VERDICTS.map(() => "--:"), "--:"]),
      ...rows,
      answerable,
    ].join("\n");
  }

  /** A sentence: how many replies stated something, and how many of these were not right. */
  statements(): string {
    const stated = this.#all.filter(({ basis }) => STATEMENTS.includes(basis));
    const count = (...verdicts: Verdict[]) => stated.filter(({ verdict }) => verdicts.includes(verdict)).length;
    return `${stated.length} replies state something: ${count("right")} right, ${count("partly")} partly, ${count("wrong", "beside")} wrong or beside the point.`;
  }

  /** A Markdown table: how much of what was said at each confidence was wrong. */
  byConfidence(): string {
    const rows = LEVELS.slice(0, -1).map((from, at) => {
      const to = LEVELS[at + 1]!;
      const these = this.#all.filter(({ confidence }) => confidence >= from && confidence < to);
      const wrong = these.filter(({ verdict }) => verdict === "wrong").length;
      return line([`${from}–${Math.min(1, to)}`, these.length, wrong, percent(wrong, these.length)]);
    });
    return [line(["confidence", "said", "wrong", "wrong, %"]), line(["---", "--:", "--:", "--:"]), ...rows].join("\n");
  }

  #row(name: string, takes: (one: Counted) => boolean, asShare = false): string {
    const these = this.#all.filter(takes);
    const counts = VERDICTS.map((verdict) => these.filter((one) => one.verdict === verdict).length);
    return line([name, these.length, ...counts.map((count) => (asShare ? percent(count, these.length) : count))]);
  }
}

const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const percent = (count: number, whole: number) => (whole === 0 ? "–" : ((100 * count) / whole).toFixed(0));
