CREATE TABLE "website_pages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "website_pages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"website_id" uuid NOT NULL,
	"url" text NOT NULL,
	"depth" smallint NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"document_id" uuid,
	"read_hash" text,
	"change" text,
	"read_at" timestamp with time zone,
	CONSTRAINT "website_pages_state" CHECK (state in ('waiting', 'document', 'left', 'failed')),
	CONSTRAINT "website_pages_change" CHECK (change in ('added', 'changed', 'gone'))
);
--> statement-breakpoint
CREATE TABLE "websites" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"url" text NOT NULL,
	"site" text NOT NULL,
	"document_type" text NOT NULL,
	"state" text DEFAULT 'reading' NOT NULL,
	"reason" text,
	"reading" integer DEFAULT 1 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"confirmed_by" uuid NOT NULL,
	"confirmed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"cut_off" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "websites_state" CHECK (state in ('reading', 'ready', 'cancelled', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "website_pages" ADD CONSTRAINT "website_pages_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_pages" ADD CONSTRAINT "website_pages_website_id_websites_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "website_pages" ADD CONSTRAINT "website_pages_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websites" ADD CONSTRAINT "websites_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websites" ADD CONSTRAINT "websites_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "website_pages_once" ON "website_pages" USING btree ("website_id","url");--> statement-breakpoint
CREATE UNIQUE INDEX "website_pages_document" ON "website_pages" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "website_pages_org" ON "website_pages" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "websites_once" ON "websites" USING btree ("twin_id","site");--> statement-breakpoint
CREATE INDEX "websites_org" ON "websites" USING btree ("org_id","created_at");--> statement-breakpoint
SELECT protect_tenant_table('websites');--> statement-breakpoint
SELECT protect_tenant_table('website_pages');
