CREATE TABLE "owner_chats" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"code_hash" text,
	"code_expires_at" timestamp with time zone,
	"chat_id" text,
	"name" text,
	"linked_at" timestamp with time zone,
	"wait_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owner_notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"owner_chat_id" uuid NOT NULL,
	"outbox_id" uuid,
	"message_ids" text[] DEFAULT '{}' NOT NULL,
	"version" text,
	"sending_since" timestamp with time zone,
	"doubtful" boolean DEFAULT false NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"asked_in" text,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "owner_chats" ADD CONSTRAINT "owner_chats_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_chats" ADD CONSTRAINT "owner_chats_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_chats" ADD CONSTRAINT "owner_chats_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD CONSTRAINT "owner_notices_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD CONSTRAINT "owner_notices_owner_chat_id_owner_chats_id_fk" FOREIGN KEY ("owner_chat_id") REFERENCES "public"."owner_chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD CONSTRAINT "owner_notices_outbox_id_outbox_id_fk" FOREIGN KEY ("outbox_id") REFERENCES "public"."outbox"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "owner_chats_member" ON "owner_chats" USING btree ("integration_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "owner_chats_chat" ON "owner_chats" USING btree ("integration_id","chat_id");--> statement-breakpoint
CREATE INDEX "owner_chats_org" ON "owner_chats" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "owner_chats_user" ON "owner_chats" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "owner_notices_once" ON "owner_notices" USING btree ("owner_chat_id","outbox_id");--> statement-breakpoint
CREATE INDEX "owner_notices_outbox" ON "owner_notices" USING btree ("outbox_id");--> statement-breakpoint
CREATE INDEX "owner_notices_open" ON "owner_notices" USING btree ("owner_chat_id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "owner_notices_org" ON "owner_notices" USING btree ("org_id");--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['owner_chats', 'owner_notices'] LOOP
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
