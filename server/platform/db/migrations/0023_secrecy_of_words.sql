-- The default is for rows that the former release writes during the update; the code of this one states it in each row. Answers that
-- were made from letters before are found by the backfills `secret_messages`, `secret_outbox` and `secret_feedback`.
ALTER TABLE "conversation_messages" ADD COLUMN "secrecy" text DEFAULT 'organization' NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "secrecy" text DEFAULT 'organization' NOT NULL;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD COLUMN "secrecy" text DEFAULT 'organization' NOT NULL;