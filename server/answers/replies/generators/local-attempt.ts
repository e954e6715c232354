import { createHash } from "node:crypto";
import type { Attempt } from "../checking/checked-answer.ts";
import type { ReplyRequest } from "../reply-request.ts";

export interface Said {
  said: string;
  cut: boolean;
}

/** Wraps a complete reply as the stream that the checks expect. */
export function attempt(say: () => Promise<Said>): Attempt {
  let cut = false;
  const deltas = async function* () {
    const found = await say();
    cut = found.cut;
    yield found.said;
  };
  return { deltas: deltas(), cut: () => cut };
}

/** The same conversation and message get the same seed. */
export const seedOf = ({ seed = "", message }: ReplyRequest): number =>
  createHash("sha256").update(`${seed}\n${message}`).digest().readUInt32LE(0);
