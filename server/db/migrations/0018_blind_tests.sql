CREATE TABLE "blind_tests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"right_answers" integer NOT NULL,
	"total" integer NOT NULL,
	"taken_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "blind_tests" ADD CONSTRAINT "blind_tests_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blind_tests" ADD CONSTRAINT "blind_tests_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "blind_tests_twin" ON "blind_tests" USING btree ("twin_id","taken_at");--> statement-breakpoint
CREATE INDEX "blind_tests_org" ON "blind_tests" USING btree ("org_id");--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['blind_tests'] LOOP
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
