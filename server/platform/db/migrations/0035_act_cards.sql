ALTER TABLE "owner_notices" ADD COLUMN "act_id" uuid;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD CONSTRAINT "owner_notices_act_id_acts_id_fk" FOREIGN KEY ("act_id") REFERENCES "public"."acts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "owner_notices_act_once" ON "owner_notices" USING btree ("owner_chat_id","act_id");--> statement-breakpoint
CREATE INDEX "owner_notices_act" ON "owner_notices" USING btree ("act_id");