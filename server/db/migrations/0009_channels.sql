CREATE TABLE "inbox_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inbox_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"conversation_key" text NOT NULL,
	"position" bigint NOT NULL,
	"inbound" jsonb,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"message_id" bigint,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "integration_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "integration_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"question" text NOT NULL,
	"text" text NOT NULL,
	"original" text,
	"state" text NOT NULL,
	"reason" text,
	"confidence" double precision NOT NULL,
	"grounds" jsonb NOT NULL,
	"duration_ms" integer,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"external_ids" text[] DEFAULT '{}' NOT NULL,
	"decided_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "integration_id" uuid;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "autonomy" text;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "paused_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "opted_out_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "disclosed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "unread" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "cursor" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "lease_owner" uuid;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "webhook_path" text;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "webhook_secret" "bytea";--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "last_event_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "integrations" ADD COLUMN "trouble" text;--> statement-breakpoint
ALTER TABLE "inbox_events" ADD CONSTRAINT "inbox_events_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_events" ADD CONSTRAINT "inbox_events_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_events" ADD CONSTRAINT "inbox_events_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_events" ADD CONSTRAINT "integration_events_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_events" ADD CONSTRAINT "integration_events_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_events_once" ON "inbox_events" USING btree ("integration_id","event_id");--> statement-breakpoint
CREATE INDEX "inbox_events_open" ON "inbox_events" USING btree ("integration_id","conversation_key") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "inbox_events_message" ON "inbox_events" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "inbox_events_org" ON "inbox_events" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "integration_events_place" ON "integration_events" USING btree ("integration_id","id");--> statement-breakpoint
CREATE INDEX "integration_events_org" ON "integration_events" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "outbox_org" ON "outbox" USING btree ("org_id","state","created_at");--> statement-breakpoint
CREATE INDEX "outbox_conversation" ON "outbox" USING btree ("conversation_id","created_at");--> statement-breakpoint
CREATE INDEX "outbox_integration" ON "outbox" USING btree ("integration_id");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "conversations_external" ON "conversations" USING btree ("integration_id","external_id");--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_webhook_path_unique" UNIQUE("webhook_path");--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['inbox_events', 'outbox', 'integration_events'] LOOP
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
