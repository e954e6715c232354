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
import { integrationId, integrations } from "./channels.ts";
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
    /** `test`: the owner's own chat with the twin. */
    platform: text("platform").notNull().default("test"),
    contactId: bigint("contact_id", { mode: "number" }).references(() => contacts.id, { onDelete: "cascade" }),
    /** The member who writes in a test chat; null when a contact writes. */
    userId: uuid("user_id"),
    participantName: text("participant_name").notNull(),
    status: text("status", { enum: ["active", "closed"] })
      .notNull()
      .default("active"),
    messageCount: integer("message_count").notNull().default(0),
    lastMessage: text("last_message"),
    /** The integration of a conversation with a contact; null in test chats, and after its deletion. */
    integrationId: uuid("integration_id").references((): AnyPgColumn => integrations.id, { onDelete: "set null" }),
    /** The conversation's id on the platform. */
    externalId: text("external_id"),
    /** What the twin may do without approval in this conversation; null: the integration's setting applies. */
    autonomy: text("autonomy", { enum: ["off", "draft", "confident", "auto"] }),
    /** The owner has taken over the conversation, so the twin is silent until this time. */
    pausedUntil: at("paused_until"),
    /** When the contact last received the away message of the working hours. */
    awayToldAt: at("away_told_at"),
    optedOutAt: at("opted_out_at"),
    /** When the contact was informed that an AI answers. */
    disclosedAt: at("disclosed_at"),
    /** `context` of the newest incoming message (inbox/channel-protocol/channel.ts). */
    replyContext: jsonb("reply_context").$type<Record<string, unknown>>().notNull().default({}),
    /** When the newest incoming message arrived. */
    lastInboundAt: at("last_inbound_at"),
    /** Number of the contact's messages that no member has answered or viewed. */
    unread: integer("unread").notNull().default(0),
    assigneeId: uuid("assignee_id"),
    /**
     * The conversation is hidden from the lists until this time; after it, it stays on top of them until a member opens it. Null: not
     * snoozed.
     */
    snoozedUntil: at("snoozed_until"),
    /** The question of a test chat that is being answered; with an answer it becomes a message. */
    asked: text("asked"),
    /** Until when the process that answers it counts as alive; afterwards the answer was interrupted. */
    askedUntil: at("asked_until"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("conversations_external").on(t.integrationId, t.externalId),
    // One page of the list is read from it in order, without sorting, and the counters above the list by an index-only scan.
    index("conversations_org").on(t.orgId, t.updatedAt, t.id, t.status, t.unread, t.messageCount, t.userId),
    index("conversations_twin").on(t.twinId),
    index("conversations_contact").on(t.contactId),
    index("conversations_snoozed").on(t.orgId, t.snoozedUntil).where(sql`snoozed_until is not null`),
  ],
);

export const conversationId = () =>
  uuid("conversation_id")
    .notNull()
    .references(() => conversations.id, { onDelete: "cascade" });

export const conversationMessages = pgTable(
  "conversation_messages",
  {
    id: serialId(),
    orgId: orgId(),
    conversationId: conversationId(),
    role: text("role", { enum: ["user", "assistant"] }).notNull(),
    /** For an `assistant` message: `owner` when the owner wrote it; null: the twin did. */
    author: text("author", { enum: ["owner"] }),
    content: text("content").notNull(),
    /** Secrecy of `content` and `citations`. */
    secrecy: secrecy(),
    /** `Citations` of answers/replies/planning/citations.ts: sources, reply examples, confidence, basis and reason of an answer. */
    citations: jsonb("citations").$type<unknown>(),
    /** Milliseconds from the question's arrival to the complete answer; null for questions. */
    durationMs: integer("duration_ms"),
    createdAt: createdAt(),
  },
  (t) => [
    index("conversation_messages_order").on(t.conversationId, t.id),
    index("conversation_messages_org").on(t.orgId, t.id),
    // Trigrams of the text in lower case, with «ё» as «е» (docs/decisions/036-inbox-search-snooze-and-notifications.md).
    index("conversation_messages_words").using(
      "gin",
      t.orgId,
      sql`translate(lower(${t.content}), 'ё', 'е') gin_trgm_ops`,
    ),
  ],
);

/** Members' internal notes on a conversation; the answer pipeline never reads them. */
export const conversationNotes = pgTable(
  "conversation_notes",
  {
    id: uuidId(),
    orgId: orgId(),
    conversationId: conversationId(),
    /** The author, who alone may change the note. */
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

/** An organisation's own label, by which members sort conversations. */
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
    conversationId: conversationId(),
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

/** Saved replies that members put into the reply field and send themselves; the twin does not learn from them. */
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
 * A member's feedback on one of the twin's answers: a rating of a sent answer (`messageId`), or a draft that the member changed before
 * sending it (`outboxId`; `correction` is the text that was sent, and there is no rating).
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
    /** The answer in the member's own words. */
    correction: text("correction"),
    /** Secrecy of `comment` and `correction`: that of the answer that they are about. */
    secrecy: secrecy(),
    /** When the twin's owner decided whether the twin learns from the feedback; null: not yet. */
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
 * A question that the twin could not answer, in any wording (server/inbox/gaps). The row holds no contact's words: `gap_questions` stores
 * those, and they are deleted with their conversations.
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
    /** Why the gap is ignored: it is not a question, or the twin shall not answer it. */
    ignoredAs: text("ignored_as", { enum: ["not_question", "no_answer"] }),
    /** Who closed the gap: the owner on the gaps screen, or knowledge that the twin got elsewhere. */
    answeredBy: text("answered_by", { enum: ["owner", "knowledge"] }),
    correctionId: uuid("correction_id").references((): AnyPgColumn => corrections.id, { onDelete: "set null" }),
    decidedAt: at("decided_at"),
    /** When the twin was last tested with the question. */
    checkedAt: at("checked_at").notNull().defaultNow(),
    /**
     * Name of the model that answered then; null: none did. Another one may know the answer from the same documents. Empty: not known, as
     * of gaps of an earlier release, which count as asked until a model is switched on.
     */
    checkedBy: text("checked_by"),
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

/** A message that the twin left without an answer: a contact's, or the owner's in his test chat. */
export const gapQuestions = pgTable(
  "gap_questions",
  {
    id: serialId(),
    orgId: orgId(),
    twinId: twinId(),
    /** null: not assigned to a gap yet. */
    gapId: uuid("gap_id").references(() => gaps.id, { onDelete: "cascade" }),
    conversationId: conversationId(),
    /** The last message of the burst. */
    messageId: bigint("message_id", { mode: "number" })
      .notNull()
      .references(() => conversationMessages.id, { onDelete: "cascade" }),
    said: text("said").notNull(),
    /** The burst as one question that needs no context; null until it is assigned to a gap. */
    question: text("question"),
    /** The question's vector, in the form of `embeddings.codes`; null: questions were compared by words alone. */
    embeddingCodes: bytea("embedding_codes"),
    embeddingModel: text("embedding_model"),
    /** Whether the twin can answer the question now; null: not tested again. */
    answered: boolean("answered"),
    /**
     * Delivery of the later answer to the contact: `sent` automatically, `draft` waits for approval, `by_hand`: the owner has answered
     * there himself, `own_chat`: the owner had asked, `unreachable`: nothing can be sent. null: no delivery yet.
     */
    told: text("told", { enum: ["sent", "draft", "by_hand", "own_chat", "unreachable"] }),
    /** The message with the later answer. */
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

/** Deliveries of platforms, stored before they are acknowledged. `(integration, event)` is unique, so a repeated delivery stays one row. */
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
    /** The platform's own order of events within the conversation. */
    position: bigint("position", { mode: "number" }).notNull(),
    /**
     * `Inbound` of inbox/channel-protocol/channel.ts; null for a delivery that could not be parsed and for the owner's messages to his own
     * bot.
     */
    inbound: jsonb("inbound").$type<unknown>(),
    status: text("status", { enum: ["pending", "done", "ignored", "failed"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    error: text("error"),
    /** The stored message, once the event is processed. */
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
 * message whose delivery is `unknown` is never resent automatically.
 */
export const outbox = pgTable(
  "outbox",
  {
    id: uuidId(),
    orgId: orgId(),
    integrationId: integrationId(),
    conversationId: conversationId(),
    /** `owner` when the owner wrote it; null: the twin did. */
    author: text("author", { enum: ["owner"] }),
    /** The contact's message that this one answers; "" for the owner's own message. */
    question: text("question").notNull(),
    text: text("text").notNull(),
    /** The twin's original text when the owner has changed it; null: unchanged. */
    original: text("original"),
    /** Secrecy of `text`, `original` and `citations`. Editing does not change it: a reworded private letter stays private. */
    secrecy: secrecy(),
    state: text("state", { enum: ["draft", "pending", "sending", "sent", "unknown", "failed", "cancelled"] }).notNull(),
    /** Why the message waits for the owner, or why it was not sent. */
    reason: text("reason"),
    /** 0..1; like `citations`, null for messages that the owner wrote. */
    confidence: doublePrecision("confidence"),
    /** `Citations` of answers/replies/planning/citations.ts. */
    citations: jsonb("citations").$type<unknown>(),
    /** Milliseconds from the incoming message to the complete answer. */
    durationMs: integer("duration_ms"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: at("next_attempt_at").notNull().defaultNow(),
    /** Asks the sender to stop, because the data that the message belongs to is being deleted (accounts/twins/in-flight-sends.ts). */
    endAsked: boolean("end_asked").notNull().default(false),
    /** Whether the notice that an AI assistant answers goes before the text; null: nothing was sent yet. It is the first of the parts. */
    disclosing: boolean("disclosing"),
    /** Platform ids of the delivered parts, in order. */
    externalIds: text("external_ids").array().notNull().default([]),
    decidedBy: uuid("decided_by"),
    /** Whether the message was to be sent automatically to an unproven address (inbox/answering/unproven-limit.ts). */
    toUnproven: boolean("to_unproven").notNull().default(false),
    /**
     * Written only by processes of release 0.2, which has no scopes: true corresponds to the scope `contact`. Dropped once no release reads
     * it.
     */
    teaches: boolean("teaches").notNull().default(false),
    /** Scope in which the twin learns the sent text as a correction (knowledge/corrections/teach-sent.ts); null: it learns nothing. */
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
