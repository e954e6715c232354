/** A worker thread: learning an owner takes seconds and must not stop the loop that answers requests. */
import { seededRandom } from "#server/seeded-random.ts";
import { copyRate } from "./copy-rate.ts";
import { type Likeness, trainJudge } from "./fidelity.ts";
import { normalise } from "./normalise.ts";
import { relevance } from "./relevance.ts";

export interface FidelityTask {
  /** The owner's turns that neither twin nor contexts hold, oldest first. */
  own: string[];
  /** Turns of each of the owner's contacts. */
  people: string[][];
  /** What the owner really answered. */
  held: string[];
  /** What the twin answered to the same, in the same order. */
  replies: string[];
  /** The owner's turns that the twin knows. */
  memory: string[];
  seed: string;
}

export interface FidelityFindings {
  likeness: Likeness;
  ceiling: Likeness;
  floor: Likeness;
  copyRate: number;
  relevance: number;
  /** Of each reply: the verifier's log-odds that the owner wrote it. */
  logits: number[];
}

export default function judgeTwin(task: FidelityTask): FidelityFindings {
  const clean = (texts: readonly string[]) => texts.map((text) => normalise(text));
  const said = (texts: readonly string[]) => clean(texts).filter((text) => text !== "");
  const people = new Map(task.people.map((texts, at) => [String(at), said(texts)]));
  const [held, replies] = [clean(task.held), clean(task.replies)];
  const judge = trainJudge({ own: said(task.own), people, held }, seededRandom(task.seed));
  return {
    likeness: judge.judge(replies),
    ceiling: judge.ceiling(),
    floor: judge.floor(),
    copyRate: copyRate(replies, clean(task.memory)),
    relevance: relevance(replies, held),
    logits: replies.map(judge.opinion),
  };
}
