ALTER TABLE "tool_connections" ADD COLUMN "proxy" "bytea";--> statement-breakpoint
ALTER TABLE "tool_tables" ADD COLUMN "proxy" "bytea";--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "proxy" "bytea";