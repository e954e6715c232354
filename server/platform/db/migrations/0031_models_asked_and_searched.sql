-- Gaps of an earlier release: which model was asked is not known. They count as asked, so that an update does not spend the owner's tokens on
-- all of them; switching a model on asks them (accounts/twins/ask-gaps-again.ts).
ALTER TABLE gaps NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE gaps SET checked_by = '' WHERE state = 'open' AND checked_by IS NULL;--> statement-breakpoint
ALTER TABLE gaps FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "remote_models" ADD COLUMN "context_tokens" integer;--> statement-breakpoint
ALTER TABLE "remote_models" ADD COLUMN "embedding_model" text;
