ALTER TABLE "local_models" DROP CONSTRAINT "local_models_kind";--> statement-breakpoint
ALTER TABLE "local_models" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "local_models" ADD CONSTRAINT "local_models_kind" CHECK (kind in ('chat', 'embedder', 'reranker', 'speech'));