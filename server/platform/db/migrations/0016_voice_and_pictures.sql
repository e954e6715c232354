CREATE TABLE "media_files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"event_id" bigint,
	"message_id" bigint,
	"place" smallint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"source" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"stored_name" text,
	"stored_at" timestamp with time zone,
	"mime" text,
	"bytes" integer DEFAULT 0 NOT NULL,
	"seconds" double precision,
	"text" text DEFAULT '' NOT NULL,
	"confidence" double precision,
	"language" text,
	"note" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "media_files_stored_name_unique" UNIQUE("stored_name"),
	CONSTRAINT "media_files_owner" CHECK (num_nonnulls(event_id, message_id) = 1),
	CONSTRAINT "media_files_kind" CHECK (kind in ('speech', 'picture')),
	CONSTRAINT "media_files_state" CHECK (state in ('waiting', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "media_readers" (
	"org_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"mode" text NOT NULL,
	"preset" text,
	"base_url" text,
	"model" text,
	"api_key" "bytea",
	"may_be_private" boolean DEFAULT false NOT NULL,
	"longest_seconds" integer,
	"daily_limit" integer NOT NULL,
	"kept_days" integer,
	"day" text DEFAULT '' NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"set_by" uuid NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "media_readers_org_id_kind_pk" PRIMARY KEY("org_id","kind"),
	CONSTRAINT "media_readers_kind" CHECK (kind in ('speech', 'picture')),
	CONSTRAINT "media_readers_mode" CHECK (mode in ('off', 'local', 'endpoint'))
);
--> statement-breakpoint
CREATE TABLE "media_remains" (
	"stored_name" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_event_id_inbox_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."inbox_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_readers" ADD CONSTRAINT "media_readers_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "media_files_place" ON "media_files" USING btree ("event_id","place");--> statement-breakpoint
CREATE INDEX "media_files_message" ON "media_files" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "media_files_org" ON "media_files" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE INDEX "media_files_waiting" ON "media_files" USING btree ("created_at") WHERE state = 'waiting';--> statement-breakpoint
SELECT protect_tenant_table('media_readers');--> statement-breakpoint
SELECT protect_tenant_table('media_files');--> statement-breakpoint
-- Rows go by many ways, most of them cascades; each leaves its file's name behind, and says so when it is committed.
CREATE FUNCTION leave_media_remains() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO media_remains (stored_name)
    SELECT DISTINCT stored_name FROM gone WHERE stored_name IS NOT NULL ON CONFLICT DO NOTHING;
  IF FOUND THEN
    PERFORM pg_notify('media_gone', '');
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER leave_remains AFTER DELETE ON media_files REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION leave_media_remains();
