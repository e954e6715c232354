ALTER TABLE "api_keys" ADD COLUMN "minute_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "minute_calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "unproven_stop_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "to_unproven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "outbox_unproven" ON "outbox" USING btree ("integration_id","created_at") WHERE to_unproven;