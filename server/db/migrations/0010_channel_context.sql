ALTER TABLE "conversation_messages" ADD COLUMN "author" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "reply_context" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "last_inbound_at" timestamp with time zone;