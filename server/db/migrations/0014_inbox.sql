CREATE TABLE "contact_facts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"contact_id" bigint NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversation_notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "confidence" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "grounds" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "reply_feedback" ALTER COLUMN "message_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "reply_feedback" ALTER COLUMN "rating" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "handle" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "tone" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "consent" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "consent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "consent_by" uuid;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "assignee_id" uuid;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "author" text;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD COLUMN "outbox_id" uuid;--> statement-breakpoint
ALTER TABLE "contact_facts" ADD CONSTRAINT "contact_facts_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_facts" ADD CONSTRAINT "contact_facts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_facts_contact" ON "contact_facts" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "contact_facts_org" ON "contact_facts" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "conversation_notes_place" ON "conversation_notes" USING btree ("conversation_id","created_at");--> statement-breakpoint
CREATE INDEX "conversation_notes_org" ON "conversation_notes" USING btree ("org_id");--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_outbox_id_outbox_id_fk" FOREIGN KEY ("outbox_id") REFERENCES "public"."outbox"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_outbox_id_unique" UNIQUE("outbox_id");
--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_of_one" CHECK (num_nonnulls("message_id", "outbox_id") = 1 AND ("outbox_id" IS NULL OR "correction" IS NOT NULL) AND ("message_id" IS NULL OR "rating" IS NOT NULL));--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['contact_facts', 'conversation_notes'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO dt_request
         USING (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)
         WITH CHECK (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)', tenant_table);
    EXECUTE format('CREATE POLICY platform_reads ON %I FOR SELECT TO dt_platform USING (true)', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO dt_request', tenant_table);
    EXECUTE format('GRANT SELECT ON %I TO dt_platform', tenant_table);
  END LOOP;
END $$;
--> statement-breakpoint
-- Whatever changes in the inbox is told with the commit, by whichever function it was done: organisation, member (of a test
-- chat, else nothing), kind, conversation. Never a text. PostgreSQL tells the same thing once in a transaction.
CREATE FUNCTION tell_inbox(org_id uuid, member uuid, kind text, conversation uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('inbox', concat_ws(',', org_id, coalesce(member::text, ''), kind, conversation));
$$;
--> statement-breakpoint
CREATE FUNCTION tell_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE talk conversations := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(talk.org_id, talk.user_id, 'conversation', talk.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tell_answer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE answer outbox := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(answer.org_id, NULL, 'answer', answer.conversation_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tell_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE note conversation_notes := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(note.org_id, NULL, 'note', note.conversation_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tell_fact() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE fact contact_facts := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(c.org_id, NULL, 'contact', c.id) FROM conversations c WHERE c.contact_id = fact.contact_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tell_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_inbox(c.org_id, NULL, 'contact', c.id) FROM conversations c WHERE c.contact_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON conversations FOR EACH ROW EXECUTE FUNCTION tell_conversation();--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION tell_answer();--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON conversation_notes FOR EACH ROW EXECUTE FUNCTION tell_note();--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON contact_facts FOR EACH ROW EXECUTE FUNCTION tell_fact();--> statement-breakpoint
CREATE TRIGGER tell AFTER UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION tell_contact();
