ALTER TABLE "activity" ADD COLUMN "conversation_id" uuid;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_conversation" ON "activity" USING btree ("conversation_id");--> statement-breakpoint
-- Where the older answers were given is not known: where others could read whose question it was, the question goes.
ALTER TABLE "activity" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "activity" SET "description" = 'Ответ двойника'
  WHERE "type" = 'response_generated'
    AND "org_id" IN (SELECT "org_id" FROM "memberships" GROUP BY "org_id" HAVING count(*) > 1);--> statement-breakpoint
ALTER TABLE "activity" FORCE ROW LEVEL SECURITY;
