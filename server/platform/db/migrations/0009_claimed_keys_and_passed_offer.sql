ALTER TABLE "idempotency_keys" ADD COLUMN "claim" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "model_offer_passed_at" timestamp with time zone;