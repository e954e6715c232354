ALTER TABLE "fidelity_measures" ADD COLUMN "audience" text DEFAULT 'contacts' NOT NULL;--> statement-breakpoint
ALTER TABLE "fidelity_measures" ADD COLUMN "handed_over" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "purpose" text DEFAULT 'business' NOT NULL;