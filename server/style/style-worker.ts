/** A worker thread: measuring a long history takes seconds and must not stop the loop that answers requests. */
import { parentPort } from "node:worker_threads";
import { OwnersStyleAccumulator } from "./style-groups.ts";

/** A page of one chat as few large values: they cross threads faster than many objects. */
export interface PackedMessages {
  chatId: number;
  /** With whom, in a private chat. */
  contactId: number | null;
  /** As `StyleMessageTo.person`. */
  person: number | null;
  /** JSON: an array of strings. */
  texts: Uint8Array<ArrayBuffer>;
  /** Milliseconds since 1970. */
  sentAt: Float64Array<ArrayBuffer>;
  /** 1 or 0. */
  fromOwner: Uint8Array<ArrayBuffer>;
}

const decoder = new TextDecoder();
let accumulator = new OwnersStyleAccumulator();

// Each page is answered by null when it is measured; null instead of a page by the style of all of them, and the next page
// is the first of another history.
parentPort!.on("message", (page: PackedMessages | null) => {
  if (page === null) {
    parentPort!.postMessage(accumulator.result());
    accumulator = new OwnersStyleAccumulator();
    return;
  }
  const { chatId, contactId, person, sentAt, fromOwner } = page;
  (JSON.parse(decoder.decode(page.texts)) as string[]).forEach((text, at) => {
    accumulator.add({ text, sentAt: new Date(sentAt[at]!), fromOwner: fromOwner[at] === 1, chatId, contactId, person });
  });
  parentPort!.postMessage(null);
});
