CREATE TABLE "embeddings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "embeddings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"passage_id" bigint,
	"exemplar_id" bigint,
	"model" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"codes" "bytea" NOT NULL,
	"signs" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "embeddings_of_one" CHECK (num_nonnulls(passage_id, exemplar_id) = 1)
);
--> statement-breakpoint
ALTER TABLE "daily_usage" ADD COLUMN "embedding_tokens" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "meaning_model" text;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "meaning_revision" bigint DEFAULT -1 NOT NULL;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "meaning_error" text;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_passage_id_passages_id_fk" FOREIGN KEY ("passage_id") REFERENCES "public"."passages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeddings" ADD CONSTRAINT "embeddings_exemplar_id_exemplars_id_fk" FOREIGN KEY ("exemplar_id") REFERENCES "public"."exemplars"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "embeddings_passage" ON "embeddings" USING btree ("passage_id");--> statement-breakpoint
CREATE UNIQUE INDEX "embeddings_exemplar" ON "embeddings" USING btree ("exemplar_id");--> statement-breakpoint
CREATE INDEX "embeddings_twin" ON "embeddings" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "embeddings_content" ON "embeddings" USING btree ("twin_id","content_hash");--> statement-breakpoint
CREATE INDEX "embeddings_org" ON "embeddings" USING btree ("org_id");
--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['embeddings'] LOOP
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
