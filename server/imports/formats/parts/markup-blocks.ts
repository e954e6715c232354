import { StringDecoder } from "node:string_decoder";
import { type HTMLElement, type Node, parse } from "node-html-parser";
import { MAX_MESSAGE_BYTES } from "../message.ts";
import { inBlocks } from "./byte-blocks.ts";

/**
 * A page of any size cut before each `marker`: first what stands before the first one, then a piece per marker. A piece
 * above 4 MB comes as its beginning. `last`: the page's end may cut it.
 */
export async function* cutBefore(
  source: AsyncIterable<Uint8Array>,
  marker: string,
): AsyncGenerator<{ text: string; last: boolean }, void, void> {
  let rest = "";
  let searched = 0;
  let decode: ((block: Buffer | null) => string) | undefined;
  for await (const block of inBlocks(source, 64 * 1024)) {
    decode ??= decoderOf(block);
    rest += decode(block);
    for (let at = rest.indexOf(marker, searched); at >= 0; at = rest.indexOf(marker, marker.length)) {
      yield { text: rest.slice(0, at), last: false };
      rest = rest.slice(at);
    }
    // What was searched is not searched again, but a marker may have begun at its end.
    searched = Math.max(marker.length, rest.length - marker.length);
    if (rest.length > MAX_MESSAGE_BYTES) rest = rest.slice(0, MAX_MESSAGE_BYTES / 2) + rest.slice(-marker.length);
    searched = Math.min(searched, rest.length - marker.length);
  }
  rest += decode?.(null) ?? "";
  yield { text: rest, last: true };
}

/** By what the page says of itself; UTF-8 where it says nothing. */
function decoderOf(head: Buffer): (block: Buffer | null) => string {
  if (/charset=["']?windows-1251/i.test(head.toString("latin1", 0, 2048))) {
    const decoder = new TextDecoder("windows-1251");
    return (block) => (block === null ? "" : decoder.decode(block, { stream: true }));
  }
  const decoder = new StringDecoder("utf8");
  return (block) => (block === null ? decoder.end() : decoder.write(block));
}

/** No page of a messenger comes near; the library's searches go down by the call stack. */
const MAX_NESTED = 500;

/** null for markup that is nested deeper than any program writes it. */
export function parseMarkup(text: string): HTMLElement | null {
  const root = parse(text);
  let level: Node[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTED) return null;
    level = level.flatMap((node) => node.childNodes);
  }
  return root;
}
