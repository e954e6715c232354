/** A worker thread, because measuring a long history takes seconds and must not block the event loop. */
import { parentPort } from "node:worker_threads";
import { lowerPriorityOfThread } from "#server/platform/process/low-priority.ts";
import { OwnersStyleAccumulator } from "./style-groups.ts";

lowerPriorityOfThread();

/** A page of messages as a few large values, which are transferred between threads faster than many objects. */
export interface PackedMessages {
  chatId: number;
  contactId: number | null;
  person: number | null;
  /** Texts of the messages, as a JSON array of strings. */
  texts: Uint8Array<ArrayBuffer>;
  /** Times of the messages, in milliseconds since 1970. */
  sentAt: Float64Array<ArrayBuffer>;
  /** 1 for the owner's messages, else 0. */
  fromOwner: Uint8Array<ArrayBuffer>;
  /** 1 for words heard in a recording, else 0. */
  said: Uint8Array<ArrayBuffer>;
}

const decoder = new TextDecoder();
let accumulator = new OwnersStyleAccumulator();

// The response to a page is null. The response to null is the style of all pages so far; the next page begins another history.
parentPort!.on("message", (page: PackedMessages | null) => {
  if (page === null) {
    parentPort!.postMessage(accumulator.result());
    accumulator = new OwnersStyleAccumulator();
    return;
  }
  const { chatId, contactId, person, sentAt, fromOwner, said } = page;
  (JSON.parse(decoder.decode(page.texts)) as string[]).forEach((text, at) => {
    const how = { fromOwner: fromOwner[at] === 1, said: said[at] === 1 };
    accumulator.add({ text, sentAt: new Date(sentAt[at]!), ...how, chatId, contactId, person });
  });
  parentPort!.postMessage(null);
});
