/** What members decide on in their own chats with a bot. */
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { orgId } from "./accounts.ts";
import { ownerChats } from "./channels.ts";
import { at, createdAt, uuidId } from "./columns.ts";
import { outbox } from "./conversations.ts";
import { acts } from "./tools.ts";

/** A draft or an act that is shown in one of the owner chats. */
export const ownerNotices = pgTable(
  "owner_notices",
  {
    id: uuidId(),
    orgId: orgId(),
    ownerChatId: uuid("owner_chat_id")
      .notNull()
      .references(() => ownerChats.id, { onDelete: "cascade" }),
    /** null: the notice shows an act, or the draft was deleted and the messages that show it must be updated. */
    outboxId: uuid("outbox_id").references(() => outbox.id, { onDelete: "set null" }),
    /** The act that it shows; null: it shows a draft, or the act was deleted. */
    actId: uuid("act_id").references(() => acts.id, { onDelete: "set null" }),
    /** Platform ids of the messages that show it; more than one when the first was resent because its arrival was uncertain. */
    messageIds: text("message_ids").array().notNull().default([]),
    /** Version of the draft that these messages show (inbox/owner-chat/notify-owner.ts). */
    version: text("version"),
    /** When the send in progress was started; null: there is none. */
    sendingSince: at("sending_since"),
    /** As `outbox.endAsked`. */
    endAsked: boolean("end_asked").notNull().default(false),
    /** An earlier attempt to send may have succeeded. */
    doubtful: boolean("doubtful").notNull().default(false),
    attempts: integer("attempts").notNull().default(0),
    /** Platform id of the message that asks the member for another text; his reply to it is that text. */
    askedIn: text("asked_in"),
    /** When the draft was decided or deleted, after which the notice needs no updates. */
    closedAt: at("closed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("owner_notices_once").on(t.ownerChatId, t.outboxId),
    uniqueIndex("owner_notices_act_once").on(t.ownerChatId, t.actId),
    index("owner_notices_outbox").on(t.outboxId),
    index("owner_notices_act").on(t.actId),
    index("owner_notices_open").on(t.ownerChatId).where(sql`closed_at is null`),
    index("owner_notices_org").on(t.orgId, t.closedAt),
  ],
);
