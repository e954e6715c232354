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

/** What a change of each kind makes old: wherever it stands, and of the conversation that it names. */
export const INBOX_TAGS: Record<InboxChange["kind"], { everywhere: readonly Tag[]; there: readonly Tag[] }> = {
  conversation: { everywhere: ["conversation-list"], there: ["conversation", "transcript"] },
  answer: { everywhere: ["approvals"], there: ["answers"] },
  note: { everywhere: [], there: ["notes"] },
  contact: { everywhere: [], there: ["contact"] },
};
/** What may be old when it is not known what has changed. */
export const WHOLE_INBOX = ["conversations", "transcript", "approvals"] as const satisfies readonly Tag[];

/** A client that receives nothing for longer has lost the stream, ms. */
export const PING_MS = 15_000;

export const liveApi = {
  events: endpoint("GET /api/events", {
    access: "signed-in",
    summary: "Поток событий: что изменилось в диалогах (text/event-stream)",
    status: 200,
  }),
};
