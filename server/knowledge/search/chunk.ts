import type { Secrecy } from "#server/platform/db/secrecy/secrecy.ts";

/** A chunk that this audience may see, best first. */
export interface ReplyChunk {
  id: string;
  documentId: string;
  /** Name of the document. */
  name: string;
  heading: string;
  text: string;
  score: number;
  /** Absent: public, as every document is. */
  secrecy?: Secrecy;
  /** In the order of the text; scores compare across chunks. */
  sentences: { text: string; score: number }[];
}
