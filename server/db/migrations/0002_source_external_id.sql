ALTER TABLE "sources" ADD COLUMN "external_id" text;--> statement-breakpoint
CREATE INDEX "imports_org" ON "imports" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sources_external" ON "sources" USING btree ("twin_id","kind","platform","external_id");