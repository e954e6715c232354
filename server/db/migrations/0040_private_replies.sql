CREATE TABLE "declined_replies" (
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "declined_replies_twin_id_content_hash_pk" PRIMARY KEY("twin_id","content_hash")
);
--> statement-breakpoint
CREATE TABLE "open_replies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "open_replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"question" text NOT NULL,
	"reply" text NOT NULL,
	"people" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"contact_id" bigint,
	"reply_message_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "open_replies_of_one" CHECK ((origin = 'opened') = (reply_message_id is not null) and (origin = 'opened') = (contact_id is not null))
);
--> statement-breakpoint
CREATE TABLE "open_reply_witnesses" (
	"org_id" uuid NOT NULL,
	"open_reply_id" bigint NOT NULL,
	"exemplar_id" bigint NOT NULL,
	CONSTRAINT "open_reply_witnesses_open_reply_id_exemplar_id_pk" PRIMARY KEY("open_reply_id","exemplar_id")
);
--> statement-breakpoint
CREATE TABLE "reply_proposals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reply_proposals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"exemplar_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"people" integer NOT NULL,
	"skipped" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "embeddings" DROP CONSTRAINT "embeddings_of_one";--> statement-breakpoint
ALTER TABLE "embeddings" ADD COLUMN "open_reply_id" bigint;--> statement-breakpoint
ALTER TABLE "declined_replies" ADD CONSTRAINT "declined_replies_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "declined_replies" ADD CONSTRAINT "declined_replies_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_reply_message_id_messages_id_fk" FOREIGN KEY ("reply_message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_reply_witnesses" ADD CONSTRAINT "open_reply_witnesses_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_reply_witnesses" ADD CONSTRAINT "open_reply_witnesses_open_reply_id_open_replies_id_fk" FOREIGN KEY ("open_reply_id") REFERENCES "public"."open_replies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "open_reply_witnesses" ADD CONSTRAINT "open_reply_witnesses_exemplar_id_exemplars_id_fk" FOREIGN KEY ("exemplar_id") REFERENCES "public"."exemplars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_proposals" ADD CONSTRAINT "reply_proposals_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_proposals" ADD CONSTRAINT "reply_proposals_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_proposals" ADD CONSTRAINT "reply_proposals_exemplar_id_exemplars_id_fk" FOREIGN KEY ("exemplar_id") REFERENCES "public"."exemplars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "declined_replies_org" ON "declined_replies" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "open_replies_twin" ON "open_replies" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "open_replies_org" ON "open_replies" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "open_replies_contact" ON "open_replies" USING btree ("contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "open_replies_reply" ON "open_replies" USING btree ("reply_message_id");--> statement-breakpoint
CREATE INDEX "open_reply_witnesses_exemplar" ON "open_reply_witnesses" USING btree ("exemplar_id");--> statement-breakpoint
CREATE INDEX "open_reply_witnesses_org" ON "open_reply_witnesses" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "reply_proposals_exemplar" ON "reply_proposals" USING btree ("exemplar_id");--> statement-breakpoint
CREATE INDEX "reply_proposals_twin" ON "reply_proposals" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "reply_proposals_org" ON "reply_proposals" USING btree ("org_id");--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_open_reply_id_open_replies_id_fk" FOREIGN KEY ("open_reply_id") REFERENCES "public"."open_replies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "embeddings_open_reply" ON "embeddings" USING btree ("open_reply_id");--> statement-breakpoint
ALTER TABLE "exemplars" DROP COLUMN "audience";--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_of_one" CHECK (num_nonnulls(passage_id, exemplar_id, open_reply_id) = 1);
--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['open_replies', 'open_reply_witnesses', 'reply_proposals', 'declined_replies'] LOOP
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
-- A recurring reply stands on all of its pairs: with one of them gone nobody knows any more that three were told the like.
CREATE FUNCTION close_unwitnessed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM open_replies WHERE id = OLD.open_reply_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER open_reply_witnesses_gone AFTER DELETE ON open_reply_witnesses
  FOR EACH ROW EXECUTE FUNCTION close_unwitnessed();
--> statement-breakpoint
-- The owner of the tables is held by their row-level security as well where he is no superuser.
ALTER TABLE "index_segments" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "twins" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "messages" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversation_messages" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversations" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "outbox" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
-- The parts of the index say of many pairs that everybody may find them, and profiles do not know with how many people a word was
-- used: both are made anew by the training that the server asks for at its start.
DELETE FROM index_segments WHERE kind = 'exemplar';
--> statement-breakpoint
UPDATE twins SET style_profile = NULL, knowledge_revision = knowledge_revision + 1
  WHERE EXISTS (SELECT 1 FROM messages WHERE messages.twin_id = twins.id);
--> statement-breakpoint
-- Answers to others keep the past replies that they leaned on.
UPDATE conversation_messages SET grounds = grounds || '{"exemplars": []}'
  FROM conversations, twins WHERE conversations.id = conversation_messages.conversation_id AND twins.id = conversations.twin_id
  AND conversations.user_id IS DISTINCT FROM twins.owner_id
  AND jsonb_typeof(grounds->'exemplars') = 'array' AND grounds->'exemplars' <> '[]';
--> statement-breakpoint
UPDATE outbox SET grounds = grounds || '{"exemplars": []}'
  WHERE jsonb_typeof(grounds->'exemplars') = 'array' AND grounds->'exemplars' <> '[]';--> statement-breakpoint
ALTER TABLE "index_segments" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "twins" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "messages" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversation_messages" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversations" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "outbox" FORCE ROW LEVEL SECURITY;
