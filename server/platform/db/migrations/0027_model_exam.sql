ALTER TABLE "remote_models" ADD COLUMN "exam" jsonb;--> statement-breakpoint
ALTER TABLE "remote_models" ADD COLUMN "exam_run" jsonb;