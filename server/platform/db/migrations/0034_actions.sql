CREATE TABLE "acts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "acts_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"tool_id" uuid,
	"conversation_id" uuid,
	"contact_id" bigint,
	"title" text NOT NULL,
	"changes" boolean NOT NULL,
	"state" text NOT NULL,
	"arguments" jsonb NOT NULL,
	"target" text,
	"question" text,
	"result" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"refusal" text,
	"reason" text,
	"dry" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"called_at" timestamp with time zone,
	"decided_by" uuid,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "tool_tables" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"tool_id" uuid,
	"name" text NOT NULL,
	"url" text,
	"columns" text[] NOT NULL,
	"rows" text NOT NULL,
	"row_count" integer NOT NULL,
	"content_hash" text NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tools" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"enabled" boolean NOT NULL,
	"degree" text NOT NULL,
	"changes" boolean NOT NULL,
	"settings" jsonb NOT NULL,
	"headers" "bytea",
	"proof" jsonb NOT NULL,
	"examples" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_tables" ADD CONSTRAINT "tool_tables_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_tables" ADD CONSTRAINT "tool_tables_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_tables" ADD CONSTRAINT "tool_tables_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "acts_org" ON "acts" USING btree ("org_id","number");--> statement-breakpoint
CREATE INDEX "acts_twin" ON "acts" USING btree ("twin_id","number");--> statement-breakpoint
CREATE INDEX "acts_tool" ON "acts" USING btree ("tool_id","created_at");--> statement-breakpoint
CREATE INDEX "acts_conversation" ON "acts" USING btree ("conversation_id","number");--> statement-breakpoint
CREATE INDEX "acts_contact" ON "acts" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "acts_open" ON "acts" USING btree ("state") WHERE state in ('proposed', 'waiting-customer', 'waiting-owner', 'calling');--> statement-breakpoint
CREATE INDEX "tool_tables_tool" ON "tool_tables" USING btree ("tool_id");--> statement-breakpoint
CREATE INDEX "tool_tables_twin" ON "tool_tables" USING btree ("twin_id");--> statement-breakpoint
CREATE INDEX "tool_tables_org" ON "tool_tables" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "tool_tables_unused" ON "tool_tables" USING btree ("created_at") WHERE tool_id is null;--> statement-breakpoint
CREATE INDEX "tools_twin" ON "tools" USING btree ("twin_id","created_at");--> statement-breakpoint
CREATE INDEX "tools_org" ON "tools" USING btree ("org_id");--> statement-breakpoint
SELECT protect_tenant_table('tools');--> statement-breakpoint
SELECT protect_tenant_table('tool_tables');--> statement-breakpoint
SELECT protect_tenant_table('acts');
