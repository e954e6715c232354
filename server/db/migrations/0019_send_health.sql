ALTER TABLE "integrations" ADD COLUMN "send_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "send_paused_until" timestamp with time zone;