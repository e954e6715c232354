/** Conversations of twins: incoming messages, answers, and questions without an answer. */
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { orgId } from "./accounts.ts";
import { integrationId, integrations, ownerChats } from "./channels.ts";
import { at, bytea, createdAt, secrecy, serialId, uuidId } from "./columns.ts";
import { contacts } from "./knowledge.ts";
import { corrections } from "./public-replies.ts";
import { twinId } from "./twins.ts";

export const conversations = pgTable(
  "conversations",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    /** `test` is the owner's own chat with the twin. */
    platform: text("platform").notNull().default("test"),
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    /** The member who chats in a test chat; null when a contact does. */
    userId: uuid("user_id"),
    participantName: text("participant_name").notNull(),
    status: text("status", { enum: ["active", "closed"] })
      .notNull()
      .default("active"),
    messageCount: integer("message_count").notNull().default(0),
    lastMessage: text("last_message"),
    /** For a conversation with a contact: the integration that it takes place on, and its id on the platform. */
    integrationId: uuid("integration_id").references((): AnyPgColumn => integrations.id, { onDelete: "set null" }),
    externalId: text("external_id"),
    /** What the twin may do without approval in this conversation; null: the integration's setting applies. */
    autonomy: text("autonomy", { enum: ["off", "draft", "confident", "auto"] }),
    /** The twin is silent until then, because the owner has taken over. */
    pausedUntil: at("paused_until"),
    /** When the contact was last told that nobody answers outside working hours. */
    awayToldAt: at("away_told_at"),
    /** When the contact asked for no more replies. */
    optedOutAt: at("opted_out_at"),
    /** When the contact was told that an AI answers. */
    disclosedAt: at("disclosed_at"),
    /** `context` of the newest incoming message (inbox/channels/protocol/channel.ts), and when it arrived. */
    replyContext: jsonb("reply_context").$type<Record<string, unknown>>().notNull().default({}),
    lastInboundAt: at("last_inbound_at"),
    /** How many of the contact's messages nobody has answered or looked at. */
    unread: integer("unread").notNull().default(0),
    /** The member who is responsible for the conversation. */
    assigneeId: uuid("assignee_id"),
    /** It is out of the lists until then; once past, it stands on top of them until somebody opens it. Null: never put off, or seen. */
    snoozedUntil: at("snoozed_until"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("conversations_external").on(t.integrationId, t.externalId),
    // A page of the list is read from it without sorting; the counters above the list are read from it without the rows.
    index("conversations_org").on(t.orgId, t.updatedAt, t.id, t.status, t.unread, t.messageCount, t.userId),
    index("conversations_twin").on(t.twinId),
    index("conversations_contact").on(t.contactId),
    index("conversations_snoozed").on(t.orgId, t.snoozedUntil).where(sql`snoozed_until is not null`),
  ],
);

export const conversationMessages = pgTable(
  "conversation_messages",
  {
    id: serialId(),
    orgId: orgId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["user", "assistant"] }).notNull(),
    /** For an `assistant` message: `owner` when the owner wrote it; null: the twin did. */
    author: text("author", { enum: ["owner"] }),
    content: text("content").notNull(),
    /** Of `content` and `citations`. */
    secrecy: secrecy(),
    /** `Citations` of answers/replies/citations.ts: sources, reply examples, confidence, basis and reason of an answer. */
    citations: jsonb("citations").$type<unknown>(),
    /** Milliseconds from the question's arrival to the complete answer; null for questions. */
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
  },
  (t) => [
    index("conversation_messages_order").on(t.conversationId, t.id),
    index("conversation_messages_org").on(t.orgId, t.id),
    // Parts of words, whatever their case; «ё» and «е» are one (docs/decisions/036-inbox-search-snooze-and-notifications.md).
    index("conversation_messages_words").using(
      "gin",
      t.orgId,
      sql`translate(lower(${t.content}), 'ё', 'е') gin_trgm_ops`,
    ),
  ],
);

/** Members' internal notes on a conversation; nothing that makes answers reads them. */
export const conversationNotes = pgTable(
  "conversation_notes",
  {
    id: uuidId(),
    orgId: orgId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** The author; nobody else may change the note. */
    authorId: uuid("author_id").notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
    editedAt: at("edited_at"),
  },
  (t) => [
    index("conversation_notes_place").on(t.conversationId, t.createdAt),
    index("conversation_notes_org").on(t.orgId),
  ],
);

/** A word of the organisation's by which its members sort conversations. */
export const labels = pgTable(
  "labels",
  {
    id: uuidId(),
    orgId: orgId(),
    name: text("name").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("labels_name").on(t.orgId, sql`lower(${t.name})`)],
);

export const conversationLabels = pgTable(
  "conversation_labels",
  {
    orgId: orgId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    labelId: uuid("label_id")
      .notNull()
      .references(() => labels.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.conversationId, t.labelId] }),
    index("conversation_labels_label").on(t.labelId),
    index("conversation_labels_org").on(t.orgId),
  ],
);

/** A text that members put into the reply field and send themselves; the twin knows nothing of it. */
export const savedReplies = pgTable(
  "saved_replies",
  {
    id: uuidId(),
    orgId: orgId(),
    title: text("title").notNull(),
    /** «{имя}» stands for the contact's first name. */
    text: text("text").notNull(),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [index("saved_replies_org").on(t.orgId, t.title)],
);

/**
 * A member's feedback on one of the twin's answers: either a rating of an answer that was given (`messageId`), or a draft that the
 * member changed before sending (`outboxId`; `correction` is the text that was sent, and there is no rating).
 */
export const replyFeedback = pgTable(
  "reply_feedback",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    messageId: bigint("message_id", { mode: "number" }).references(() => conversationMessages.id, {
      onDelete: "cascade",
    }),
    /** The outbox row whose `question` and `original` text the correction replaces. */
    outboxId: uuid("outbox_id")
      .unique()
      .references((): AnyPgColumn => outbox.id, { onDelete: "cascade" }),
    userId: uuid("user_id").notNull(),
    /** 1..5; null for a draft. */
    rating: integer("rating"),
    comment: text("comment"),
    /** The answer in the owner's own words. */
    correction: text("correction"),
    /** Of `comment` and `correction`: that of the answer which they are about. */
    secrecy: secrecy(),
    /** When the twin's owner decided whether the twin should learn from it; null: not yet. */
    settledAt: at("settled_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("reply_feedback_once").on(t.messageId, t.userId),
    index("reply_feedback_twin").on(t.twinId, t.id),
    index("reply_feedback_org").on(t.orgId, t.createdAt),
    check(
      "reply_feedback_of_one",
      sql`num_nonnulls(message_id, outbox_id) = 1 and (outbox_id is null or correction is not null)
        and (message_id is null or num_nonnulls(rating, correction) > 0)`,
    ),
  ],
);

/**
 * A question that the twin could not answer, in whatever words it was asked (server/inbox/gaps). It holds no contact's words: those are stored in
 * `gap_questions` and go with their conversations.
 */
export const gaps = pgTable(
  "gaps",
  {
    id: uuidId(),
    orgId: orgId(),
    twinId: twinId(),
    state: text("state", { enum: ["open", "answered", "ignored"] })
      .notNull()
      .default("open"),
    /** Why it is ignored: it is no question, or the twin is not to answer it. */
    ignoredAs: text("ignored_as", { enum: ["not_question", "no_answer"] }),
    /** Who has answered it: the owner here, or what the twin has learnt elsewhere since. */
    answeredBy: text("answered_by", { enum: ["owner", "knowledge"] }),
    correctionId: uuid("correction_id").references((): AnyPgColumn => corrections.id, { onDelete: "set null" }),
    decidedAt: at("decided_at"),
    /** When the twin was last asked it again. */
    checkedAt: at("checked_at").notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [
    index("gaps_twin").on(t.twinId, t.state),
    index("gaps_org").on(t.orgId),
    index("gaps_correction").on(t.correctionId),
    check("gaps_state", sql`state in ('open', 'answered', 'ignored')`),
    check("gaps_ignored", sql`(state = 'ignored') = (ignored_as is not null)`),
    check("gaps_answered", sql`(state = 'answered') = (answered_by is not null)`),
  ],
);

/** A message that the twin left without an answer: of a contact, or of the owner in his test chat. */
export const gapQuestions = pgTable(
  "gap_questions",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /** null: not sorted yet. */
    gapId: uuid("gap_id").references(() => gaps.id, { onDelete: "cascade" }),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** The last message of what was asked in one go. */
    messageId: bigint("message_id", { mode: "number" })
      .notNull()
      .references(() => conversationMessages.id, { onDelete: "cascade" }),
    said: text("said").notNull(),
    /** The same as a question that needs nothing before it; null until it is sorted. */
    question: text("question"),
    /** The question's vector, like `embeddings.codes`; null: questions were compared by words alone. */
    embeddingCodes: bytea("embedding_codes"),
    embeddingModel: text("embedding_model"),
    /** Whether the twin answers it now; null: it was not asked again. */
    answered: boolean("answered"),
    /**
     * Delivery of the answer to the asker: `sent` was sent automatically, `draft` waits for approval, `by_hand`: the owner has answered
     * there himself, `own_chat`: the owner had asked, `unreachable`: nothing can be sent. null: not told yet.
     */
    told: text("told", { enum: ["sent", "draft", "by_hand", "own_chat", "unreachable"] }),
    /** The answer that was created for the asker. */
    outboxId: uuid("outbox_id").references((): AnyPgColumn => outbox.id, { onDelete: "set null" }),
    askedAt: at("asked_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("gap_questions_message").on(t.messageId),
    index("gap_questions_twin").on(t.twinId, t.askedAt),
    index("gap_questions_gap").on(t.gapId, t.id),
    index("gap_questions_conversation").on(t.conversationId),
    index("gap_questions_outbox").on(t.outboxId),
    index("gap_questions_org").on(t.orgId, t.askedAt),
    check("gap_questions_told", sql`told in ('sent', 'draft', 'by_hand', 'own_chat', 'unreachable')`),
  ],
);

/** Deliveries of platforms, stored before they are acknowledged. `(integration, event)` is unique, so a repeated delivery is one row. */
export const inboxEvents = pgTable(
  "inbox_events",
  {
    id: serialId(),
    orgId: orgId(),
    integrationId: integrationId(),
    /** The platform's own id of the delivery. */
    eventId: text("event_id").notNull(),
    /** The conversation's id on the platform. */
    conversationKey: text("conversation_key").notNull(),
    /** The platform's own order within the conversation. */
    position: bigint("position", { mode: "number" }).notNull(),
    /** `Inbound` of inbox/channels/protocol/channel.ts; null for a delivery that could not be read and for the owner's messages to his own bot. */
    inbound: jsonb("inbound").$type<unknown>(),
    status: text("status", { enum: ["pending", "done", "ignored", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    error: text("error"),
    /** The stored message, once the event was handled. */
    messageId: bigint("message_id", { mode: "number" }).references(() => conversationMessages.id, {
      onDelete: "cascade",
    }),
    receivedAt: at("received_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("inbox_events_once").on(t.integrationId, t.eventId),
    index("inbox_events_open").on(t.integrationId, t.conversationKey).where(sql`status = 'pending'`),
    index("inbox_events_failed").on(t.integrationId).where(sql`status = 'failed'`),
    index("inbox_events_message").on(t.messageId),
    index("inbox_events_org").on(t.orgId, t.receivedAt),
  ],
);

/**
 * Messages that the twin, or its owner through the twin's channel, sends. The state goes `draft` → `pending` → `sending` → `sent`; a
 * message whose delivery is `unknown` is never sent again automatically.
 */
export const outbox = pgTable(
  "outbox",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    conversationId: uuid("conversation_id")
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    /** `owner` when the owner wrote it; null: the twin did. */
    author: text("author", { enum: ["owner"] }),
    /** The message that is answered; "" for the owner's own message. */
    question: text("question").notNull(),
    text: text("text").notNull(),
    /** The twin's text when the owner has changed it; null: unchanged. */
    original: text("original"),
    /** Of `text`, `original` and `citations`. An edit keeps it: a reworded letter is still a letter. */
    secrecy: secrecy(),
    state: text("state", { enum: ["draft", "pending", "sending", "sent", "unknown", "failed", "cancelled"] }).notNull(),
    /** Why it waits for the owner, or why it was not sent. */
    reason: text("reason"),
    /** 0..1; like `citations`, null for messages that the owner wrote. */
    confidence: doublePrecision("confidence"),
    /** `Citations` of answers/replies/citations.ts. */
    citations: jsonb("citations").$type<unknown>(),
    /** Milliseconds from the incoming message to the complete answer. */
    durationMs: integer("duration_ms"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    /** Tells the sender to stop, because what the message belongs to is being deleted (accounts/twins/in-flight-sends.ts). */
    endAsked: boolean("end_asked").notNull().default(false),
    /** Platform ids of the delivered parts, in order. */
    externalIds: text("external_ids").array().notNull().default([]),
    decidedBy: uuid("decided_by"),
    /** Whether it was to be sent automatically to an unproven address (inbox/channels/core/answers/unproven-limit.ts). */
    toUnproven: boolean("to_unproven").notNull().default(false),
    /** Written by processes of 0.2 alone, which knew no scope: true is the contact's. Dropped once no release reads it. */
    teaches: boolean("teaches").notNull().default(false),
    /** For whom the twin learns the text as a correction once it is sent (knowledge/corrections/teach-sent.ts); null: it learns nothing. */
    teachesScope: text("teaches_scope", { enum: ["contact", "everybody"] }),
    createdAt: createdAt(),
    sentAt: at("sent_at"),
  },
  (t) => [
    index("outbox_org").on(t.orgId, t.state, t.createdAt),
    index("outbox_conversation").on(t.conversationId, t.createdAt),
    index("outbox_integration").on(t.integrationId),
    index("outbox_due").on(t.nextAttemptAt).where(sql`state = 'pending'`),
    index("outbox_unproven").on(t.integrationId, t.createdAt).where(sql`to_unproven`),
  ],
);

/** A draft that is shown in one of the owner chats. */
export const ownerNotices = pgTable(
  "owner_notices",
  {
    id: uuidId(),
    orgId: orgId(),
    ownerChatId: uuid("owner_chat_id")
      .notNull()
      .references(() => ownerChats.id, { onDelete: "cascade" }),
    /** null: the draft was deleted, and the messages that show it must be updated. */
    outboxId: uuid("outbox_id").references((): AnyPgColumn => outbox.id, { onDelete: "set null" }),
    /** Platform ids of the messages that show it; more than one when the first was resent because its arrival was uncertain. */
    messageIds: text("message_ids").array().notNull().default([]),
    /** Version of the draft that these messages show (inbox/channels/owner-chat/notify-owner.ts). */
    version: text("version"),
    /** When the message in flight was started; null: none is. */
    sendingSince: at("sending_since"),
    /** As `outbox.endAsked`. */
    endAsked: boolean("end_asked").notNull().default(false),
    /** An earlier attempt may have arrived. */
    doubtful: boolean("doubtful").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    /** Platform id of the message that asks the member for another text; the reply to it is that text. */
    askedIn: text("asked_in"),
    /** When the draft was decided or deleted, so that nothing more has to be shown. */
    closedAt: at("closed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("owner_notices_once").on(t.ownerChatId, t.outboxId),
    index("owner_notices_outbox").on(t.outboxId),
    index("owner_notices_open").on(t.ownerChatId).where(sql`closed_at is null`),
    index("owner_notices_org").on(t.orgId, t.closedAt),
  ],
);
