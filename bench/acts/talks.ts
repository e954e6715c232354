// Talks that need an act: businesses with their tools and rows, what customers write, and what each turn should come to. Written by
// people who had read no code (talks.json of each set); a strong model's completions for them are recorded beside them. The first and the
// second set were looked at, the third is only counted.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolField } from "#contract/actions/tool-settings.ts";
import type { ToolInput } from "#contract/actions/tools.ts";

export interface TalkTool {
  id: string;
  title: string;
  description: string;
  kind: "http" | "table";
  changes: boolean;
  degree: ToolInput["degree"];
  fields: ToolField[];
  proof: Partial<ToolInput["proof"]>;
  shown: { path: string; label: string }[];
  /** The rows of a read; null for a change. */
  data: Record<string, string>[] | null;
}

export interface Business {
  id: string;
  name: string;
  about: string;
  documents: { name: string; text: string }[];
  tools: TalkTool[];
}

/**
 * read: the answer states the row. ask-proof, ask-missing: the asker is asked for more. confirm: he is asked whether to change it. to-owner: it
 * waits for the owner. declined: he has taken it back. unproven: the answer states none of it. answer: documents answer. no-act: nothing is called.
 */
export type ExpectedKind =
  | "read"
  | "ask-proof"
  | "ask-missing"
  | "confirm"
  | "to-owner"
  | "declined"
  | "unproven"
  | "answer"
  | "no-act";

export interface Expected {
  kind: ExpectedKind;
  tool?: string;
  arguments?: Record<string, string>;
  /** What the answer must state, alternatives separated by «|». */
  states?: string[];
}

export interface Talk {
  id: string;
  business: string;
  /** The phone that the messenger vouches for. */
  channelPhone: string | null;
  now: string;
  turns: { customer: string[]; expect: Expected }[];
  /** Words of other people's rows. */
  mustNotSay: string[];
}

export type TalkSet = "first" | "second" | "third";

export const readTalks = (set: TalkSet): { businesses: Business[]; talks: Talk[] } =>
  JSON.parse(readFileSync(join(import.meta.dirname, set, "talks.json"), "utf8"));

/** The sixth talk of each business only looks as if it needed an act. */
export const needsAct = ({ id }: Talk): boolean => !id.endsWith("-6");
