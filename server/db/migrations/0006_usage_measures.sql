ALTER TABLE "daily_usage" ADD COLUMN "measured" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD COLUMN "confidence_sum" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD COLUMN "duration_sum" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "reply_feedback_org" ON "reply_feedback" USING btree ("org_id","created_at");