ALTER TABLE "style_samples" DROP CONSTRAINT "style_samples_of_one";--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD COLUMN "audience" text DEFAULT 'contacts' NOT NULL;--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD COLUMN "handed_over" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "style_samples" ADD COLUMN "contact_id" bigint;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "purpose" text DEFAULT 'business' NOT NULL;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "self_presentation" jsonb;--> statement-breakpoint
ALTER TABLE "style_samples" ADD CONSTRAINT "style_samples_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "style_samples_contact" ON "style_samples" USING btree ("contact_id");--> statement-breakpoint
ALTER TABLE "style_samples" ADD CONSTRAINT "style_samples_of_one" CHECK (case origin when 'written' then 0 else 1 end = num_nonnulls(reply_example_id, contact_id)
        and (origin = 'opened' or contact_id is null));