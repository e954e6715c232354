/** Chunks that a capable model is shown besides the found ones, when it cannot be shown everything. */
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { holdsSurely } from "#server/knowledge/language/question/answer-type.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { TwinIndex } from "#server/knowledge/search/twin-index.ts";
import type { AccompanyingChunks } from "../reply-request.ts";
import { toChunk, unscored } from "./find-knowledge.ts";

/** Words that documents use for what every asker may need, whatever he asks. */
const CONTACTS = "контакты телефон почта адрес написать позвонить contacts phone address";
const HOURS = "часы работы график режим открыто работаем ежедневно opening hours";
const SOUGHT = 6;
/** Hits whose neighbours are shown: an answer is cut at the edge of the nearest chunks, seldom at that of the twentieth. */
const WITH_NEIGHBOURS = 4;

/** @param found best first */
export async function accompanyingChunks(
  index: TwinIndex,
  audience: Audience,
  found: readonly ReplyChunk[],
): Promise<AccompanyingChunks> {
  const asked = { audience, kinds: ["chunk" as const], limit: SOUGHT, sentences: false };
  const [contacts = [], hours = []] = await index.searchAll([
    { ...asked, query: CONTACTS },
    { ...asked, query: HOURS },
  ]);
  const standing = [
    ...contacts.filter(({ text }) => holds("phone", text) || holds("email", text)).slice(0, 1),
    ...hours.filter(({ text }) => holds("hours", text) && holds("day", text)).slice(0, 1),
  ].map(toChunk);
  const nearest = found.filter(({ documentId }) => documentId !== "").slice(0, WITH_NEIGHBOURS);
  const beside = await index.neighbours(
    audience,
    nearest.map(({ id }) => Number(id)),
  );
  const known = new Set(found.map(({ id }) => id));
  const fresh = (chunks: readonly ReplyChunk[]) => chunks.filter(({ id }) => !known.has(id) && known.add(id));
  return { standing: fresh(standing), neighbours: fresh(beside.map(unscored)) };
}

const holds = (type: "phone" | "email" | "hours" | "day", text: string): boolean =>
  holdsSurely(type, text, { inRow: false, question: "" });
