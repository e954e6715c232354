/**
 * Secrecy of each text column of the tenant tables. A test requires an entry for every new text column, and that no call shows a private
 * one to a colleague (server/test/privacy/).
 */
import type { Secrecy } from "../schema/secrecy.ts";

/**
 * A `Secrecy` applies to every row. `row`: stated in the row's `secrecy` column. `audience`: public if the row's audience is 0, else the
 * owner's and that contact's. `state`: public while the row is open, else the owner's. `member`: private to the member whom the row names.
 * `conversation`: open to all members, but a test chat only to its member. `none`: ids, codes, settings and addresses, no words of people.
 */
export type ColumnSecrecy = Secrecy | "row" | "audience" | "state" | "member" | "conversation" | "none";

type Columns = Record<string, ColumnSecrecy>;

const all = (secrecy: ColumnSecrecy, ...columns: string[]): Columns =>
  Object.fromEntries(columns.map((column) => [column, secrecy]));

export const COLUMN_SECRECY: Record<string, Columns> = {
  // Its conversation shows a proposed or made call.
  acts: {
    ...all("organization", "title"),
    ...all("conversation", "arguments", "question", "ownerQuestion", "result", "reason"),
    ...all("none", "target"),
  },
  activity: { ...all("none", "type"), ...all("conversation", "description"), ...all("organization", "twinName") },
  api_key_usage: all("none", "day"),
  api_keys: { ...all("organization", "name"), ...all("none", "prefix", "tokenHash") },
  audit_log: all("none", "action", "subject", "detail"),
  business_connections: { ...all("organization", "name"), ...all("none", "externalId") },
  channel_state: all("none", "key"),
  chats: { ...all("owner", "name"), ...all("none", "platform", "externalId") },
  chunks: all("public", "heading", "text"),
  contact_facts: all("organization", "text"),
  // The owner sees the name of a contact who only appears in letters; every reader of a conversation sees its contact's name.
  contacts: { ...all("conversation", "name", "handle"), ...all("none", "platform", "externalId", "styleGroup") },
  conversation_messages: all("row", "content", "citations"),
  conversation_notes: all("organization", "text"),
  conversations: {
    // Private words are not copied here: for such an answer a sentence says so.
    ...all("conversation", "participantName", "lastMessage", "asked"),
    ...all("none", "platform", "externalId", "replyContext"),
  },
  corrections: {
    ...all("audience", "question", "text", "rewordings", "rules"),
    // Only the owner sees these, whichever contact the correction applies to.
    ...all("owner", "context", "twinReply", "caseReply"),
    ...all("none", "embeddingModel"),
  },
  crm_cards: all("none", "contactId", "dealId", "error"),
  crm_connections: all("none", "host", "reason"),
  crm_sign_ins: all("none", "stateHash", "host"),
  daily_usage: all("none", "day"),
  data_exports: all("none", "storedName"),
  documents: { ...all("organization", "name", "content", "tags"), ...all("none", "status", "mime", "contentHash") },
  embeddings: all("none", "model"),
  export_uploads: { ...all("member", "fileName"), ...all("none", "storedName", "format") },
  fact_proposals: all("owner", "question", "reply"),
  fidelity_examples: all("owner", "reply"),
  fidelity_measures: all("none", "model"),
  gaps: all("none", "checkedBy"),
  gap_questions: { ...all("owner", "said", "question"), ...all("none", "embeddingModel") },
  idempotency_keys: { ...all("member", "body"), ...all("none", "key", "requestHash", "mentions") },
  imports: {
    ...all("member", "fileName", "preview"),
    ...all("none", "storedName", "position", "format", "ownerId", "chatIds", "error"),
  },
  inbox_events: { ...all("organization", "inbound"), ...all("none", "eventId", "conversationKey", "error") },
  integration_events: all("organization", "text"),
  integrations: {
    ...all("organization", "phoneNumber", "account"),
    ...all(
      "none",
      "statusReason",
      "settings",
      "workingHours",
      "accountId",
      "cursor",
      "failedDeliveries",
      "webhookPath",
    ),
    ...all("none", "trouble", "limitation"),
  },
  invitations: { ...all("organization", "email", "firstName", "lastName"), ...all("none", "tokenHash") },
  labels: all("organization", "name"),
  letters_sent: all("none", "recipient"),
  media_files: {
    ...all("conversation", "name", "text"),
    ...all("none", "source", "storedName", "mime", "language", "note"),
  },
  media_readers: all("none", "baseUrl", "model", "day"),
  messages: { ...all("owner", "text"), ...all("none", "externalId", "replyTo") },
  model_budgets: all("none", "day"),
  notification_settings: all("none", "toldTrouble"),
  open_replies: all("state", "question", "reply"),
  outbox: {
    ...all("row", "text", "original", "citations"),
    ...all("organization", "question"),
    ...all("none", "reason", "externalIds"),
  },
  owner_chats: { ...all("member", "name"), ...all("none", "codeHash", "chatId") },
  owner_notices: all("none", "messageIds", "version", "askedIn"),
  payments: all("none", "planId"),
  remote_models: all(
    "none",
    "preset",
    "baseUrl",
    "authUrl",
    "model",
    "embeddingModel",
    "scope",
    "currency",
    "exam",
    "examAnswers",
    "examRun",
  ),
  reply_examples: all("owner", "incoming", "reply"),
  reply_feedback: all("row", "comment", "correction"),
  saved_replies: all("organization", "title", "text"),
  sessions: all("none", "tokenHash", "cookieHash", "device", "ip"),
  set_aside_events: { ...all("organization", "title", "raw"), ...all("none", "name", "reason") },
  sources: { ...all("organization", "name"), ...all("none", "platform", "externalId") },
  style_samples: all("state", "incoming", "text"),
  subscriptions: all("none", "planId"),
  tool_connections: {
    ...all("organization", "title", "listing"),
    ...all("none", "url", "auth", "failure"),
  },
  tool_tables: {
    ...all("organization", "name", "columns", "rows"),
    ...all("none", "url", "contentHash", "failure"),
  },
  tools: {
    ...all("organization", "title", "description", "settings", "proof", "examples"),
    ...all("none", "offReason"),
  },
  twin_exam_answers: { ...all("row", "question", "reply", "reason"), ...all("none", "heldFor") },
  twin_exams: all("none", "model", "failure"),
  twin_versions: all("owner", "snapshot"),
  twins: {
    ...all("organization", "name", "publicName", "description", "personality", "communicationStyle", "expertise"),
    ...all("owner", "styleProfile"),
    // He states it for everybody.
    ...all("public", "selfPresentation"),
    ...all("none", "trainingStage", "trainingError", "embeddingModel", "embeddingError"),
  },
  voice_adapters: {
    ...all("owner", "fileName"),
    ...all("none", "storedName", "baseName", "baseShape", "baseWeights", "baseFile", "sha256"),
  },
  // Private texts are left out when an event is stored (inbox/webhooks/emit.ts).
  webhook_deliveries: { ...all("organization", "payload"), ...all("none", "event", "error") },
  webhooks: all("none", "url", "disabledReason"),
  website_pages: all("none", "url", "reason", "readHash"),
  websites: all("none", "url", "site", "reason"),
  widget_addresses: all("none", "addressHash", "day"),
  widgets: { ...all("public", "title", "greeting"), ...all("none", "allowedSites", "color", "usageDay") },
};
