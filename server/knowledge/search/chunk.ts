import type { Secrecy } from "#server/platform/db/schema/secrecy.ts";

/** A chunk that this audience may see; lists of them are best first. */
export interface ReplyChunk {
  id: string;
  documentId: string;
  name: string;
  /** Type of the document, as in `documents.type`; absent for documents in memory and for corrections. */
  type?: string;
  /** Day on which the document was added; absent for documents in memory and for corrections. */
  date?: Date;
  heading: string;
  text: string;
  score: number;
  /** Whose secret the chunk is; absent: public, like every document. */
  secrecy?: Secrecy;
  /** In the order of the text; scores are comparable across chunks. */
  sentences: { text: string; score: number }[];
}
