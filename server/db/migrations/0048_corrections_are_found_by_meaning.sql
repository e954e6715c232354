ALTER TABLE "corrections" ADD COLUMN "rewordings" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "corrections" ADD COLUMN "meaning_codes" "bytea";--> statement-breakpoint
ALTER TABLE "corrections" ADD COLUMN "meaning_model" text;--> statement-breakpoint
ALTER TABLE "embeddings" ADD COLUMN "piece_codes" "bytea";--> statement-breakpoint
-- These families are now told whether a text asks or is looked for: what was learnt without that is learnt again.
UPDATE "twins" SET "meaning_revision" = -1 WHERE "meaning_model" ~* '(e5|qwen3-embedding|frida|nomic-embed|embeddinggemma)';--> statement-breakpoint
DELETE FROM "embeddings" WHERE "model" ~* '(e5|qwen3-embedding|frida|nomic-embed|embeddinggemma)';
