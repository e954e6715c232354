ALTER TABLE "webhook_deliveries" ADD COLUMN "conversation_id" uuid;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "sending_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "end_asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_conversation" ON "webhook_deliveries" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
-- The owner of the tables is held by their row-level security as well where he is no superuser.
ALTER TABLE "conversations" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "webhook_deliveries" SET "conversation_id" = "conversations"."id" FROM "conversations"
WHERE "conversations"."id"::text = "webhook_deliveries"."payload"::jsonb->'data'->>'conversationId';--> statement-breakpoint
-- What they speak of was deleted before they knew of it.
DELETE FROM "webhook_deliveries" WHERE "conversation_id" IS NULL AND "payload"::jsonb->'data' ? 'conversationId';--> statement-breakpoint
ALTER TABLE "webhook_deliveries" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversations" FORCE ROW LEVEL SECURITY;
