ALTER TABLE "acts" ADD COLUMN "waits_since" timestamp with time zone;--> statement-breakpoint
UPDATE "acts" SET "waits_since" = "created_at" WHERE "state" = 'waiting-owner';
