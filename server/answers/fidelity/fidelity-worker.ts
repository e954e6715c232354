/** Runs in a worker thread, because training on an owner takes seconds and must not block the event loop. */
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { copyRate } from "./copy-rate.ts";
import { type Fidelity, trainJudge } from "./fidelity.ts";
import { normalise } from "./normalise.ts";
import { relevance } from "./relevance.ts";

export interface FidelityTask {
  /** The owner's messages that are neither in the twin nor in the contexts, oldest first. */
  own: string[];
  people: string[][];
  held: string[];
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
  /** The verifier's log-odds for each reply that the owner wrote it. */
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
