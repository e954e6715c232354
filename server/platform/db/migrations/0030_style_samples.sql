CREATE TABLE "style_samples" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "style_samples_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"incoming" text,
	"text" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"reply_example_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "style_samples_of_one" CHECK ((origin = 'common') = (reply_example_id is not null)),
	CONSTRAINT "style_samples_incoming" CHECK ((origin = 'written') = (incoming is not null))
);
--> statement-breakpoint
ALTER TABLE "style_samples" ADD CONSTRAINT "style_samples_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "style_samples" ADD CONSTRAINT "style_samples_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "style_samples" ADD CONSTRAINT "style_samples_reply_example_id_reply_examples_id_fk" FOREIGN KEY ("reply_example_id") REFERENCES "public"."reply_examples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "style_samples_twin" ON "style_samples" USING btree ("twin_id","id");--> statement-breakpoint
CREATE INDEX "style_samples_org" ON "style_samples" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "style_samples_reply_example" ON "style_samples" USING btree ("reply_example_id");--> statement-breakpoint
SELECT protect_tenant_table('style_samples');
