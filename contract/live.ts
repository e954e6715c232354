/** What changes in the inbox is told to the screens that show it: ids and kinds, never texts. */
import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/**
 * `change`: something of this kind in this conversation; `everything`: what changed is not known (changes may have been
 * missed). Beside them come `ready`, once the stream listens, `ping` while nothing happens, and `error` as its last word.
 */
export const InboxChange = z.object({
  kind: z.enum(["conversation", "answer", "note", "contact"]),
  conversationId: z.string(),
});
export type InboxChange = z.infer<typeof InboxChange>;

/** A reader who hears nothing for longer has lost the stream, ms. */
export const PING_MS = 15_000;

export const liveApi = {
  events: endpoint("GET /api/events", {
    access: "signed-in",
    summary: "Поток событий: что изменилось в диалогах (text/event-stream)",
    status: 200,
  }),
};
