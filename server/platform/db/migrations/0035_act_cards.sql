ALTER TABLE "owner_notices" ADD COLUMN "act_id" uuid;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD CONSTRAINT "owner_notices_act_id_acts_id_fk" FOREIGN KEY ("act_id") REFERENCES "public"."acts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "owner_notices_act_once" ON "owner_notices" USING btree ("owner_chat_id","act_id");--> statement-breakpoint
CREATE INDEX "owner_notices_act" ON "owner_notices" USING btree ("act_id");--> statement-breakpoint
-- Open screens learn of an act of a contact as of an answer (0003_triggers_and_plans.sql).
CREATE FUNCTION tell_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_inbox(NEW.org_id, NULL, 'answer', NEW.conversation_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON acts FOR EACH ROW
  WHEN (NEW.contact_id IS NOT NULL AND NEW.conversation_id IS NOT NULL) EXECUTE FUNCTION tell_act();
