ALTER TABLE "conversations" ADD COLUMN "away_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "working_hours" jsonb;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "checked_at" timestamp with time zone;