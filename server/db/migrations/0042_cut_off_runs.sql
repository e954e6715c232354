ALTER TABLE "imports" ADD COLUMN "cut_off" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "training_cut_off" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "twins" ADD COLUMN "meaning_cut_off" integer DEFAULT 0 NOT NULL;