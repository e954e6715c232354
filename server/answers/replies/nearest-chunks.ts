import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { ReplyRequest } from "./reply-request.ts";

const NEAREST = 2;

/** Returns the chunks nearest to an unanswered message, best first, for the owner to see. */
export function nearestChunks({ quotation, chunks }: ReplyRequest): ReplyChunk[] {
  const found = quotation ? [quotation.chunk, ...chunks] : chunks;
  return [...new Map(found.map((chunk) => [chunk.id, chunk])).values()].slice(0, NEAREST);
}
