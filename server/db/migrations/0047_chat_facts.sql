CREATE TABLE "fact_proposals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "fact_proposals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"exemplar_id" bigint NOT NULL,
	"subject" "bytea" NOT NULL,
	"value" "bytea" NOT NULL,
	"question" text NOT NULL,
	"reply" text NOT NULL,
	"times" integer NOT NULL,
	"people" integer NOT NULL,
	"said_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'proposed' NOT NULL,
	"decided_at" timestamp with time zone,
	"correction_id" uuid,
	"replaced_id" uuid,
	CONSTRAINT "fact_proposals_state" CHECK (state in ('proposed', 'confirmed', 'rejected'))
);
--> statement-breakpoint
ALTER TABLE "corrections" ADD COLUMN "fact_subject" "bytea";--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "facts_revision" bigint DEFAULT -1 NOT NULL;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_exemplar_id_exemplars_id_fk" FOREIGN KEY ("exemplar_id") REFERENCES "public"."exemplars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_correction_id_corrections_id_fk" FOREIGN KEY ("correction_id") REFERENCES "public"."corrections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fact_proposals" ADD CONSTRAINT "fact_proposals_replaced_id_corrections_id_fk" FOREIGN KEY ("replaced_id") REFERENCES "public"."corrections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "fact_proposals_once" ON "fact_proposals" USING btree ("twin_id","subject","value");--> statement-breakpoint
CREATE INDEX "fact_proposals_exemplar" ON "fact_proposals" USING btree ("exemplar_id");--> statement-breakpoint
CREATE INDEX "fact_proposals_correction" ON "fact_proposals" USING btree ("correction_id");--> statement-breakpoint
CREATE INDEX "fact_proposals_replaced" ON "fact_proposals" USING btree ("replaced_id");--> statement-breakpoint
CREATE INDEX "fact_proposals_org" ON "fact_proposals" USING btree ("org_id");--> statement-breakpoint
ALTER TABLE "fact_proposals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "fact_proposals" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE POLICY tenant ON "fact_proposals" TO dt_request
  USING (org_id = nullif(current_setting('app.org', true), '')::uuid)
  WITH CHECK (org_id = nullif(current_setting('app.org', true), '')::uuid);--> statement-breakpoint
CREATE POLICY platform_reads ON "fact_proposals" FOR SELECT TO dt_platform USING (true);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "fact_proposals" TO dt_request;--> statement-breakpoint
GRANT SELECT ON "fact_proposals" TO dt_platform;
