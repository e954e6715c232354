/** Live updates of the inbox for open screens. They contain ids and kinds of changes, never texts. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import type { Tag } from "../tags.ts";

/**
 * `change`: something of this kind changed in this conversation; `everything`: it is unknown what changed, because changes may have
 * been missed. The stream also sends `ready` when it begins to listen, `ping` while nothing happens, and `error` as its last event.
 */
export const InboxChange = z.object({
  kind: z.enum(["conversation", "answer", "note", "contact"]),
  conversationId: z.string(),
});
export type InboxChange = z.infer<typeof InboxChange>;

/** Tags that a change of each kind makes stale, on all screens and in the named conversation. */
export const INBOX_TAGS: Record<InboxChange["kind"], { everywhere: readonly Tag[]; there: readonly Tag[] }> = {
  conversation: { everywhere: ["conversation-list"], there: ["conversation", "transcript"] },
  answer: { everywhere: ["approvals", "acts"], there: ["answers"] },
  note: { everywhere: [], there: ["notes"] },
  contact: { everywhere: [], there: ["contact"] },
};
/** Tags that may be stale when it is unknown what has changed. */
export const WHOLE_INBOX = ["conversations", "transcript", "approvals", "acts"] as const satisfies readonly Tag[];

/** Interval of pings in milliseconds; a client that receives nothing for longer has lost the stream. */
export const PING_MS = 15_000;

export const liveApi = {
  events: endpoint("GET /api/events", {
    access: "signed-in",
    summary: "Поток событий: что изменилось в диалогах (text/event-stream)",
    status: 200,
  }),
};
