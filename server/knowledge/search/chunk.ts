import type { Secrecy } from "#server/platform/db/schema/secrecy.ts";

/** A chunk that this audience may see; lists of them are best first. */
export interface ReplyChunk {
  id: string;
  documentId: string;
  name: string;
  heading: string;
  text: string;
  score: number;
  /** Whose secret the chunk is; absent: public, like every document. */
  secrecy?: Secrecy;
  /** In the order of the text; scores are comparable across chunks. */
  sentences: { text: string; score: number }[];
}
