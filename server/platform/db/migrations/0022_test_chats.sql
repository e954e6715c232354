ALTER TABLE "daily_usage" ADD COLUMN "tests" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD COLUMN "tests_measured" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD COLUMN "tests_confidence_sum" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_usage" ADD COLUMN "tests_duration_sum" bigint DEFAULT 0 NOT NULL;