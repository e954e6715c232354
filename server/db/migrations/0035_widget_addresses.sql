CREATE TABLE "widget_addresses" (
	"org_id" uuid NOT NULL,
	"widget_id" uuid NOT NULL,
	"address_hash" text NOT NULL,
	"day" text NOT NULL,
	"messages" integer NOT NULL,
	"hour" integer NOT NULL,
	"hour_messages" integer NOT NULL,
	CONSTRAINT "widget_addresses_widget_id_address_hash_pk" PRIMARY KEY("widget_id","address_hash")
);
--> statement-breakpoint
ALTER TABLE "widget_addresses" ADD CONSTRAINT "widget_addresses_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "widget_addresses" ADD CONSTRAINT "widget_addresses_widget_id_widgets_id_fk" FOREIGN KEY ("widget_id") REFERENCES "public"."widgets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "widget_addresses_org" ON "widget_addresses" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "widget_addresses_day" ON "widget_addresses" USING btree ("day");
--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['widget_addresses'] LOOP
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
