/** Runs in a worker thread, because indexing a long history takes seconds and must not block the event loop. */
import { move } from "piscina";
import type { IndexedUnit } from "#server/knowledge/embeddings/twin-units.ts";
import { lowerPriorityOfThread } from "#server/platform/process/low-priority.ts";
import { buildSegment, Vocabulary } from "./build-segment.ts";
import { encodeSegment } from "./segment-bytes.ts";

lowerPriorityOfThread();

export interface PackedUnits {
  kind: string;
  pages: PackedPage[];
}

/** `UnitPage` as buffers that are transferred instead of copied. */
export interface PackedPage {
  ids: Float64Array<ArrayBuffer>;
  audiences: Float64Array<ArrayBuffer>;
  texts: Uint8Array<ArrayBuffer>;
  headings: Uint8Array<ArrayBuffer>;
}

/** With more words the vocabulary is recreated, because rare words would fill the memory. */
const MAX_WORDS = 60_000;
let vocabulary = new Vocabulary();

export default function indexUnits({ kind, pages }: PackedUnits): Buffer<ArrayBuffer> {
  if (vocabulary.size > MAX_WORDS) vocabulary = new Vocabulary();
  const bytes = encodeSegment(buildSegment(kind, unitsOf(pages), vocabulary)) as Buffer<ArrayBuffer>;
  // `move` returns the same bytes, marked for transfer instead of copying.
  return move(bytes) as unknown as Buffer<ArrayBuffer>;
}

const decoder = new TextDecoder();

function* unitsOf(pages: readonly PackedPage[]): Generator<IndexedUnit> {
  for (const { ids, audiences, texts, headings } of pages) {
    const textOf = JSON.parse(decoder.decode(texts)) as string[];
    const headingOf = JSON.parse(decoder.decode(headings)) as (string | null)[];
    for (const [at, id] of ids.entries()) {
      yield { id, audience: audiences[at]!, text: textOf[at]!, heading: headingOf[at] ?? "" };
    }
  }
}
