ALTER TABLE "conversations" ADD COLUMN "asked" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "asked_until" timestamp with time zone;