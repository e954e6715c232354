CREATE TABLE "twin_stops" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"stopped_by" uuid NOT NULL,
	"stopped_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "twin_stops" ADD CONSTRAINT "twin_stops_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['twin_stops'] LOOP
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
