CREATE TABLE "data_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"done" bigint DEFAULT 0 NOT NULL,
	"total" bigint DEFAULT 0 NOT NULL,
	"stored_name" text,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"cut_off" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp with time zone,
	"kept_until" timestamp with time zone,
	CONSTRAINT "data_exports_stored_name_unique" UNIQUE("stored_name"),
	CONSTRAINT "data_exports_scope" CHECK (scope in ('account', 'organization')),
	CONSTRAINT "data_exports_state" CHECK (state in ('waiting', 'running', 'ready', 'failed')),
	CONSTRAINT "data_exports_reason" CHECK (reason in ('storage_full', 'no_space', 'broken', 'outdated', 'not_allowed'))
);
--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_exports" ADD CONSTRAINT "data_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "data_exports_one" ON "data_exports" USING btree ("org_id","user_id","scope");--> statement-breakpoint
CREATE INDEX "data_exports_user" ON "data_exports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "data_exports_end" ON "data_exports" USING btree ("kept_until");--> statement-breakpoint
ALTER TABLE "data_exports" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "data_exports" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "data_exports" TO dt_request
  USING (org_id = nullif(current_setting('app.org', true), '')::uuid)
  WITH CHECK (org_id = nullif(current_setting('app.org', true), '')::uuid);--> statement-breakpoint
CREATE POLICY platform_reads ON "data_exports" FOR SELECT TO dt_platform USING (true);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "data_exports" TO dt_request;--> statement-breakpoint
GRANT SELECT ON "data_exports" TO dt_platform;--> statement-breakpoint
-- What somebody deletes must not stay in a zip that waits. Exports of the organisation hold every twin; an account's its own twins and
-- test chats. What a cascade removes went with a row that somebody named, and that row's trigger has spoken.
CREATE FUNCTION outdate_exports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM data_exports WHERE state IN ('running', 'ready')) THEN
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'twins' THEN
    UPDATE data_exports e SET state = 'failed', reason = 'outdated'
    WHERE e.state IN ('running', 'ready') AND EXISTS (
      SELECT 1 FROM gone g WHERE g.org_id = e.org_id AND (e.scope = 'organization' OR g.owner_id = e.user_id));
  ELSIF TG_TABLE_NAME = 'conversations' THEN
    UPDATE data_exports e SET state = 'failed', reason = 'outdated'
    WHERE e.state IN ('running', 'ready') AND EXISTS (
      SELECT 1 FROM gone g JOIN twins t ON t.id = g.twin_id
      WHERE g.org_id = e.org_id AND (
        (g.user_id IS NULL AND (e.scope = 'organization' OR t.owner_id = e.user_id))
        OR (e.scope = 'account' AND g.user_id = e.user_id)));
  ELSE
    UPDATE data_exports e SET state = 'failed', reason = 'outdated'
    WHERE e.state IN ('running', 'ready') AND EXISTS (
      SELECT 1 FROM gone g JOIN twins t ON t.id = g.twin_id
      WHERE g.org_id = e.org_id AND (e.scope = 'organization' OR t.owner_id = e.user_id));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DO $$
DECLARE kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['twins', 'documents', 'sources', 'chats', 'contacts', 'conversations'] LOOP
    EXECUTE format(
      'CREATE TRIGGER outdates_exports AFTER DELETE ON %I REFERENCING OLD TABLE AS gone
         FOR EACH STATEMENT EXECUTE FUNCTION outdate_exports()', kept);
  END LOOP;
END $$;
