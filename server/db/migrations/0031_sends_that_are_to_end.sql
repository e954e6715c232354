ALTER TABLE "outbox" ADD COLUMN "end_asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "owner_notices" ADD COLUMN "end_asked" boolean DEFAULT false NOT NULL;