import { StringDecoder } from "node:string_decoder";
import { type HTMLElement, type Node, parse } from "node-html-parser";
import { MAX_MESSAGE_BYTES } from "../message.ts";
import { readBlocks } from "./byte-blocks.ts";

/**
 * Splits a page of any size before each `marker`: first the part before the first marker, then one piece per marker. A piece above 4 MB is
 * cut to its beginning. `last`: the end of the page may cut the piece.
 */
export async function* splitBefore(
  source: AsyncIterable<Uint8Array>,
  marker: string,
): AsyncGenerator<{ text: string; last: boolean }, void, void> {
  let rest = "";
  let searched = 0;
  let decode: ((block: Buffer | null) => string) | undefined;
  for await (const block of readBlocks(source, 64 * 1024)) {
    decode ??= decoderOf(block);
    rest += decode(block);
    for (let at = rest.indexOf(marker, searched); at >= 0; at = rest.indexOf(marker, marker.length)) {
      yield { text: rest.slice(0, at), last: false };
      rest = rest.slice(at);
    }
    // The searched part is not searched again, except its end, where a marker may have begun.
    searched = Math.max(marker.length, rest.length - marker.length);
    if (rest.length > MAX_MESSAGE_BYTES) rest = rest.slice(0, MAX_MESSAGE_BYTES / 2) + rest.slice(-marker.length);
    searched = Math.min(searched, rest.length - marker.length);
  }
  rest += decode?.(null) ?? "";
  yield { text: rest, last: true };
}

/** Decodes in the encoding that the page declares; UTF-8 by default. */
function decoderOf(head: Buffer): (block: Buffer | null) => string {
  if (/charset=["']?windows-1251/i.test(head.toString("latin1", 0, 2048))) {
    const decoder = new TextDecoder("windows-1251");
    return (block) => (block === null ? "" : decoder.decode(block, { stream: true }));
  }
  const decoder = new StringDecoder("utf8");
  return (block) => (block === null ? decoder.end() : decoder.write(block));
}

/** Maximum depth of markup, because the library's searches are recursive; no messenger's page is nearly as deep. */
const MAX_NESTED = 500;

/** Returns null for markup that is nested deeper than MAX_NESTED. */
export function parseMarkup(text: string): HTMLElement | null {
  const root = parse(text);
  let level: Node[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTED) return null;
    level = level.flatMap((node) => node.childNodes);
  }
  return root;
}
