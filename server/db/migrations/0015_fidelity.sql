CREATE TABLE "fidelity_examples" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "fidelity_examples_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"measure_id" bigint NOT NULL,
	"exemplar_id" bigint NOT NULL,
	"reply" text NOT NULL,
	"logit" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fidelity_measures" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "fidelity_measures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"revision" bigint NOT NULL,
	"lacking" text,
	"value" double precision,
	"low" double precision,
	"high" double precision,
	"verified" double precision,
	"indistinguishable" double precision,
	"ceiling" double precision,
	"floor" double precision,
	"copy_rate" double precision,
	"relevance" double precision,
	"own" integer NOT NULL,
	"held" integer NOT NULL,
	"people" integer NOT NULL,
	"duration_ms" integer NOT NULL,
	"measured_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "fidelity_examples" ADD CONSTRAINT "fidelity_examples_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_examples" ADD CONSTRAINT "fidelity_examples_measure_id_fidelity_measures_id_fk" FOREIGN KEY ("measure_id") REFERENCES "public"."fidelity_measures"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_examples" ADD CONSTRAINT "fidelity_examples_exemplar_id_exemplars_id_fk" FOREIGN KEY ("exemplar_id") REFERENCES "public"."exemplars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD CONSTRAINT "fidelity_measures_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD CONSTRAINT "fidelity_measures_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fidelity_examples_measure" ON "fidelity_examples" USING btree ("measure_id");--> statement-breakpoint
CREATE INDEX "fidelity_examples_exemplar" ON "fidelity_examples" USING btree ("exemplar_id");--> statement-breakpoint
CREATE INDEX "fidelity_examples_org" ON "fidelity_examples" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "fidelity_measures_twin" ON "fidelity_measures" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "fidelity_measures_org" ON "fidelity_measures" USING btree ("org_id");--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['fidelity_measures', 'fidelity_examples'] LOOP
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
