/**
 * What screens show, in one word each. A read of the contract says in `tags` what it shows, a change says in `refreshes` what it makes
 * stale; the browser reads again whatever of that is on the screen (web/api/refresh.ts). A read may have several: `twins` is on all that
 * belongs to a twin, `keys` on its keys alone.
 */
export type Tag =
  | "account"
  | "account-import"
  | "activity"
  | "answers"
  | "approvals"
  | "business"
  | "contact"
  | "conversation"
  | "conversation-list"
  | "conversations"
  | "crm"
  | "corrections"
  | "dashboard"
  | "documents"
  | "export"
  | "facts"
  | "gaps"
  | "history"
  | "imports"
  | "integrations"
  | "keys"
  | "labels"
  | "media-readers"
  | "memberships"
  | "model"
  | "model-budget"
  | "model-rule"
  | "models"
  | "notes"
  | "notices"
  | "open-replies"
  | "organization"
  | "owner-chat"
  | "plans"
  | "platform"
  | "quality"
  | "remote-model"
  | "report"
  | "saved-replies"
  | "set-aside"
  | "stop-switch"
  | "storage"
  | "transcript"
  | "twins"
  | "voice"
  | "webhooks"
  | "widget";

/**
 * What a change makes stale. `nothing`: no screen shows what it changes, or it changes nothing. `session`: who is signed in, and with it
 * everything; web/session clears the cache. `piece`: one piece of longer work, whose caller refreshes at its end.
 */
export type Refreshes = readonly [Tag, ...Tag[]] | "nothing" | "session" | "piece";

/** What a twin knows: documents, conversations and chats that it learns from, and all that counts them. */
export const KNOWLEDGE = [
  "twins",
  "documents",
  "history",
  "conversations",
  "transcript",
  "dashboard",
  "activity",
  "storage",
] as const satisfies Refreshes;

/** An account's history that has been read, or is being read: its messages, the twin that learns from them, the integration. */
export const HISTORY = [
  "history",
  "account-import",
  "integrations",
  "activity",
  "twins",
  "dashboard",
] as const satisfies Refreshes;

/** A twin's name, or that there is one: every list that names twins or counts them. */
export const TWIN_LISTS = [
  "twins",
  "dashboard",
  "activity",
  "conversations",
  "transcript",
  "documents",
  "integrations",
  "history",
] as const satisfies Refreshes;

/** An answer that a twin has given: the conversation, and the figures that count it. */
export const ANSWERED = ["conversations", "dashboard", "activity", "report"] as const satisfies Refreshes;

/** A decision about an answer that waits: it leaves the queue and shows in its conversation. */
export const DECIDED = ["approvals", "conversations", "transcript"] as const satisfies Refreshes;

/** Who is one person with whom: the contact, and whatever counts people. */
export const PEOPLE = [
  "contact",
  "twins",
  "open-replies",
  "facts",
  "gaps",
  "quality",
  "report",
] as const satisfies Refreshes;

/** What an administrator of the platform changes may show in any list of his, and in his own organisation's. */
export const PLATFORM = ["platform", "plans", "organization", "memberships"] as const satisfies Refreshes;

/** Work in the background that a screen has seen to its end. */
export const ENDED = {
  training: TWIN_LISTS,
  import: KNOWLEDGE,
  reimport: HISTORY,
} as const satisfies Record<string, Refreshes>;
