CREATE TABLE "tool_connections" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"url" text NOT NULL,
	"auth" jsonb NOT NULL,
	"secrets" "bytea",
	"listing" jsonb,
	"checked_at" timestamp with time zone,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "connection_id" uuid;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "off_reason" text;--> statement-breakpoint
ALTER TABLE "tool_connections" ADD CONSTRAINT "tool_connections_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_connections" ADD CONSTRAINT "tool_connections_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tool_connections_twin" ON "tool_connections" USING btree ("twin_id","created_at");--> statement-breakpoint
CREATE INDEX "tool_connections_org" ON "tool_connections" USING btree ("org_id");--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_connection_id_tool_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."tool_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tools_connection" ON "tools" USING btree ("connection_id");--> statement-breakpoint
SELECT protect_tenant_table('tool_connections');
