/**
 * Cache tags. A read names in `tags` the subjects that it shows; a change names in `refreshes` the subjects that it makes stale.
 * The browser then refetches these reads if they are on the screen (web/api/refresh.ts). A read may have several tags: everything that
 * belongs to a twin has `twins`, but only its keys have `keys`.
 */
export type Tag =
  | "account"
  | "account-import"
  | "activity"
  | "acts"
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
  | "style-samples"
  | "tools"
  | "transcript"
  | "twin-exam"
  | "twins"
  | "webhooks"
  | "widget";

/**
 * Subjects that a change makes stale. `nothing`: no screen shows the change. `session`: the signed-in user and therefore everything;
 * web/session clears the cache. `piece`: one part of a longer operation, whose caller refreshes when it ends.
 */
export type Refreshes = readonly [Tag, ...Tag[]] | "nothing" | "session" | "piece";

/** Tags of a twin's knowledge: documents, conversations and chats that it learns from, and screens that count them. */
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

/** Tags of an account's imported history: its messages, the twin that learns from them, the integration. */
export const HISTORY = [
  "history",
  "account-import",
  "integrations",
  "activity",
  "twins",
  "dashboard",
] as const satisfies Refreshes;

/** Tags of a twin's name or existence: every list that names or counts twins. */
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

/** Tags of an answer that a twin has given: the conversation, and the figures that count it. */
export const ANSWERED = ["conversations", "dashboard", "activity", "report"] as const satisfies Refreshes;

/** Tags of a decision on a waiting answer, which leaves the queue and appears in its conversation. */
export const DECIDED = ["approvals", "conversations", "transcript"] as const satisfies Refreshes;

/** Tags of joining contacts into one person: the contact, and screens that count people. */
export const PEOPLE = [
  "contact",
  "twins",
  "open-replies",
  "style-samples",
  "facts",
  "gaps",
  "quality",
  "report",
] as const satisfies Refreshes;

/** Tags of a platform administrator's change, which may appear in any of his lists and in his own organisation's. */
export const PLATFORM = ["platform", "plans", "organization", "memberships"] as const satisfies Refreshes;

/** Tags to refresh when background work that the screen has followed ends. */
export const ENDED = {
  training: TWIN_LISTS,
  import: KNOWLEDGE,
  reimport: HISTORY,
} as const satisfies Record<string, Refreshes>;
