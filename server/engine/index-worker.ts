/** Runs in a worker thread: indexing takes seconds for a long history and must not stop the loop that answers requests. */
import { move } from "piscina";
import { buildSegment } from "./build-segment.ts";
import { encodeSegment } from "./segment-bytes.ts";

/** Units as few large values: they cross threads faster than many objects. */
export interface PackedUnits {
  kind: string;
  ids: Float64Array<ArrayBuffer>;
  audiences: Float64Array<ArrayBuffer>;
  /** Joined by NUL, which no text in PostgreSQL holds. */
  texts: string;
  headings: string;
}

/** Returns the encoded segment. */
export default function indexUnits({ kind, ids, audiences, texts, headings }: PackedUnits): Buffer<ArrayBuffer> {
  const textOf = texts.split("\0");
  const headingOf = headings.split("\0");
  const units = Array.from(ids, (id, at) => ({
    id,
    audience: audiences[at]!,
    text: textOf[at]!,
    heading: headingOf[at]!,
  }));
  const bytes = encodeSegment(buildSegment(kind, units)) as Buffer<ArrayBuffer>;
  // What `move` returns is the bytes again, marked to be handed over instead of copied.
  return move(bytes) as unknown as Buffer<ArrayBuffer>;
}
