CREATE TABLE "crm_cards" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"contact_id" text,
	"deal_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"called_at" timestamp with time zone,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"made_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "crm_connections" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"system" text NOT NULL,
	"host" text NOT NULL,
	"tokens" "bytea" NOT NULL,
	"state" text DEFAULT 'connected' NOT NULL,
	"reason" text,
	"refreshing_since" timestamp with time zone,
	"refreshed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"connected_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crm_sign_ins" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"state_hash" text NOT NULL,
	"system" text NOT NULL,
	"host" text NOT NULL,
	"app" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "crm_sign_ins_state_hash_unique" UNIQUE("state_hash")
);
--> statement-breakpoint
CREATE TABLE "crm_twins" (
	"org_id" uuid NOT NULL,
	"twin_id" uuid PRIMARY KEY NOT NULL,
	"connection_id" uuid NOT NULL,
	"include_texts" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "crm_cards" ADD CONSTRAINT "crm_cards_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_cards" ADD CONSTRAINT "crm_cards_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_cards" ADD CONSTRAINT "crm_cards_connection_id_crm_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."crm_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_cards" ADD CONSTRAINT "crm_cards_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_connections" ADD CONSTRAINT "crm_connections_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_connections" ADD CONSTRAINT "crm_connections_connected_by_users_id_fk" FOREIGN KEY ("connected_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_sign_ins" ADD CONSTRAINT "crm_sign_ins_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_sign_ins" ADD CONSTRAINT "crm_sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_twins" ADD CONSTRAINT "crm_twins_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_twins" ADD CONSTRAINT "crm_twins_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crm_twins" ADD CONSTRAINT "crm_twins_connection_id_crm_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."crm_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "crm_cards_conversation" ON "crm_cards" USING btree ("conversation_id","connection_id");--> statement-breakpoint
CREATE INDEX "crm_cards_connection" ON "crm_cards" USING btree ("connection_id","state");--> statement-breakpoint
CREATE INDEX "crm_cards_twin" ON "crm_cards" USING btree ("twin_id");--> statement-breakpoint
CREATE INDEX "crm_cards_org" ON "crm_cards" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "crm_cards_due" ON "crm_cards" USING btree ("next_attempt_at") WHERE state in ('waiting', 'making', 'noting');--> statement-breakpoint
CREATE UNIQUE INDEX "crm_connections_account" ON "crm_connections" USING btree ("org_id","system","host");--> statement-breakpoint
CREATE INDEX "crm_connections_by" ON "crm_connections" USING btree ("connected_by");--> statement-breakpoint
CREATE INDEX "crm_sign_ins_org" ON "crm_sign_ins" USING btree ("org_id","user_id");--> statement-breakpoint
CREATE INDEX "crm_sign_ins_user" ON "crm_sign_ins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "crm_twins_org" ON "crm_twins" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "crm_twins_connection" ON "crm_twins" USING btree ("connection_id");--> statement-breakpoint
SELECT protect_tenant_table('crm_connections');--> statement-breakpoint
SELECT protect_tenant_table('crm_sign_ins');--> statement-breakpoint
SELECT protect_tenant_table('crm_twins');--> statement-breakpoint
SELECT protect_tenant_table('crm_cards');
