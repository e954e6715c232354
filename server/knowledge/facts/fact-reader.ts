import { ContactNames } from "#server/knowledge/messages/contact-names.ts";
import { type FoundFact, factsOf } from "./fact-of-pair.ts";

/** A page of pairs as a few large arrays, which are transferred between threads faster than many objects. */
export interface PairPage {
  names: string[];
  incoming: string[];
  replies: string[];
  /** The same person's message before each pair; null when there is none or it is too old. */
  before: (string | null)[];
}

export type PageFact = FoundFact & { at: number };

/** @returns facts, each with the index of its pair in the page */
export default function readFacts({ names, incoming, replies, before }: PairPage): PageFact[] {
  const contacts = new ContactNames(names);
  return incoming.flatMap((text, at) =>
    factsOf({ incoming: text, reply: replies[at]!, before: before[at]! }, contacts).map((fact) => ({ ...fact, at })),
  );
}
