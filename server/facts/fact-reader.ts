/** Runs in a worker thread: the facts that a page of pairs holds. */
import { ContactNames } from "#server/knowledge/contact-names.ts";
import { type FoundFact, factOf } from "./fact-of-pair.ts";

/** Pairs as few large values: they cross threads faster than many objects. */
export interface PairPage {
  /** Of the twin's contacts. */
  names: string[];
  incoming: string[];
  replies: string[];
  /** What the same person asked just before; null: nothing, or long ago. */
  before: (string | null)[];
}

export type PageFact = FoundFact & { at: number };

/** @returns each with the place of its pair in the page */
export default function readFacts({ names, incoming, replies, before }: PairPage): PageFact[] {
  const contacts = new ContactNames(names);
  return incoming.flatMap((text, at) => {
    const fact = factOf({ incoming: text, reply: replies[at]!, before: before[at]! }, contacts);
    return fact === null ? [] : [{ ...fact, at }];
  });
}
