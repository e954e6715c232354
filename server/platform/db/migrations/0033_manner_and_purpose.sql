ALTER TABLE "style_samples" DROP CONSTRAINT "style_samples_of_one";--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD COLUMN "audience" text DEFAULT 'contacts' NOT NULL;--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD COLUMN "handed_over" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "purpose" text DEFAULT 'business' NOT NULL;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "self_presentation" jsonb;--> statement-breakpoint
ALTER TABLE "style_samples" ADD CONSTRAINT "style_samples_of_one" CHECK (origin = 'opened' or (origin = 'common') = (reply_example_id is not null));