/** Runs in a worker thread, because learning an owner takes seconds and must not stop the loop that answers requests. */
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { copyRate } from "./copy-rate.ts";
import { type Fidelity, trainJudge } from "./fidelity.ts";
import { normalise } from "./normalise.ts";
import { relevance } from "./relevance.ts";

export interface FidelityTask {
  /** Messages of the owner that are in neither the twin nor the contexts, oldest first. */
  own: string[];
  /** Messages of each of the owner's contacts. */
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
  fidelity: Fidelity;
  ceiling: Fidelity;
  floor: Fidelity;
  copyRate: number;
  relevance: number;
  /** For each reply the verifier's log-odds that the owner wrote it. */
  logits: number[];
}

export default function judgeTwin(task: FidelityTask): FidelityFindings {
  const clean = (texts: readonly string[]) => texts.map((text) => normalise(text));
  const said = (texts: readonly string[]) => clean(texts).filter((text) => text !== "");
  const people = new Map(task.people.map((texts, at) => [String(at), said(texts)]));
  const [held, replies, memory] = [clean(task.held), clean(task.replies), said(task.memory)];
  const judge = trainJudge({ own: said(task.own), people, held, memory }, seededRandom(task.seed));
  return {
    fidelity: judge.judge(replies),
    ceiling: judge.ceiling(),
    floor: judge.floor(),
    copyRate: copyRate(replies, memory),
    relevance: relevance(replies, held),
    logits: replies.map(judge.opinion),
  };
}
