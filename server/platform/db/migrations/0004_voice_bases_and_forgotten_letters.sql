ALTER TABLE "voice_adapters" ADD COLUMN "base_weights" text;--> statement-breakpoint
ALTER TABLE "voice_adapters" ADD COLUMN "base_file" text;--> statement-breakpoint
ALTER TABLE "voice_adapters" ADD COLUMN "forgotten_at" timestamp with time zone;