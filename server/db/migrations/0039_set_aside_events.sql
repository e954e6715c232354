CREATE TABLE "set_aside_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"reason" text NOT NULL,
	"raw" jsonb,
	"state" text DEFAULT 'aside' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "set_aside_events" ADD CONSTRAINT "set_aside_events_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "set_aside_events" ADD CONSTRAINT "set_aside_events_integration_id_integrations_id_fk" FOREIGN KEY ("integration_id") REFERENCES "public"."integrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "set_aside_events_once" ON "set_aside_events" USING btree ("integration_id","name");--> statement-breakpoint
CREATE INDEX "set_aside_events_org" ON "set_aside_events" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE INDEX "inbox_events_failed" ON "inbox_events" USING btree ("integration_id") WHERE status = 'failed';--> statement-breakpoint
ALTER TABLE "set_aside_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "set_aside_events" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "set_aside_events" TO dt_request
  USING (org_id = nullif(current_setting('app.org', true), '')::uuid)
  WITH CHECK (org_id = nullif(current_setting('app.org', true), '')::uuid);--> statement-breakpoint
CREATE POLICY platform_reads ON "set_aside_events" FOR SELECT TO dt_platform USING (true);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "set_aside_events" TO dt_request;--> statement-breakpoint
GRANT SELECT ON "set_aside_events" TO dt_platform;
