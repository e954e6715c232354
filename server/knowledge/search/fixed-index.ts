/**
 * Creates an index over in-memory documents that never change. It has no rows, so it needs no database, contains only public content and
 * is searched by words alone.
 */
import { splitChunks } from "#server/knowledge/documents/split-chunks.ts";
import { type Audience, mayReadKind, type UnitKind } from "#server/knowledge/embeddings/twin-units.ts";
import type { Segment } from "./index-segment.ts";
import type { UnitHit } from "./ranking/found-unit.ts";
import { buildSegment } from "./segments/build-segment.ts";
import type { IndexSource } from "./stored-index.ts";
import type { ChunkContent } from "./twin-hits.ts";
import { TwinIndex } from "./twin-index.ts";

const NOTHING_DEAD: ReadonlySet<number> = new Set();
const EVERYBODY = 0;

class FixedIndex implements IndexSource {
  readonly twinId = "";
  readonly vectorStamp = "";
  readonly #chunks: ReadonlyMap<number, ChunkContent>;
  readonly #segment: Segment;

  constructor(chunks: readonly ChunkContent[]) {
    this.#chunks = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    this.#segment = buildSegment(
      "chunk",
      chunks.map(({ id, text, heading, documentName }) => ({
        id,
        audience: EVERYBODY,
        text,
        heading: heading === null ? documentName : `${documentName} ${heading}`,
      })),
    );
  }

  get tx(): never {
    throw new Error("An index in memory was asked for rows");
  }

  async segments(kind: UnitKind): Promise<readonly Segment[]> {
    return kind === "chunk" ? [this.#segment] : [];
  }

  dead(): ReadonlySet<number> {
    return NOTHING_DEAD;
  }

  async findDead(): Promise<void> {}

  async contents(audience: Audience, hits: readonly UnitHit[]): Promise<Map<string, ChunkContent>> {
    if (!mayReadKind(audience, "chunk")) return new Map();
    return new Map(hits.map(({ id }) => [`chunk ${id}`, this.#chunks.get(id)!]));
  }

  async allChunks(audience: Audience, characters: number): Promise<ChunkContent[]> {
    const all = mayReadKind(audience, "chunk") ? [...this.#chunks.values()] : [];
    return all.reduce((sum, { text, heading }) => sum + text.length + (heading ?? "").length, 0) <= characters
      ? all
      : [];
  }

  async neighbours(audience: Audience, ids: readonly number[]): Promise<ChunkContent[]> {
    if (!mayReadKind(audience, "chunk")) return [];
    const of = new Set(ids);
    const isBeside = ({ id, documentId }: ChunkContent) =>
      [id - 1, id + 1].some((next) => of.has(next) && this.#chunks.get(next)?.documentId === documentId);
    return [...this.#chunks.values()].filter((chunk) => !of.has(chunk.id) && isBeside(chunk));
  }

  /** There are no past replies. */
  async exchanges(): Promise<[]> {
    return [];
  }

  async styleSamples(): Promise<[]> {
    return [];
  }
}

/** @param documents plain text with headings as «# …»; their content is public */
export function fixedIndex(documents: readonly { name: string; content: string }[]): TwinIndex {
  // Chunks without a document are corrections (replies/record/record-prompt.ts), so each document has an id.
  const chunks = documents.flatMap(({ name, content }, at) =>
    splitChunks(content).map(({ text, heading }) => ({
      ...{ text, heading, documentName: name, documentId: `document ${at + 1}` },
    })),
  );
  return new TwinIndex(new FixedIndex(chunks.map((chunk, at) => ({ kind: "chunk", id: at + 1, ...chunk }))));
}
