CREATE TABLE "integrations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"status_reason" text,
	"credentials" "bytea" NOT NULL,
	"phone_number" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"autonomy" text DEFAULT 'draft' NOT NULL,
	"source_id" uuid,
	"messages_imported" integer DEFAULT 0 NOT NULL,
	"messages_handled" integer DEFAULT 0 NOT NULL,
	"last_sync_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"plan_id" text NOT NULL,
	"amount" integer NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "reply_feedback" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reply_feedback_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"message_id" bigint NOT NULL,
	"user_id" uuid NOT NULL,
	"rating" integer NOT NULL,
	"comment" text,
	"correction" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscription_plans" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"price" integer NOT NULL,
	"billing_period" text DEFAULT 'month' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"features" text[] DEFAULT '{}' NOT NULL,
	"place" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"org_id" uuid PRIMARY KEY NOT NULL,
	"plan_id" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversation_messages" ADD COLUMN "duration_ms" integer;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_source_id_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."sources"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_plan_id_subscription_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."subscription_plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reply_feedback" ADD CONSTRAINT "reply_feedback_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_subscription_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."subscription_plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "integrations_org" ON "integrations" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE INDEX "integrations_twin" ON "integrations" USING btree ("twin_id");--> statement-breakpoint
CREATE INDEX "integrations_source" ON "integrations" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "payments_org" ON "payments" USING btree ("org_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "reply_feedback_once" ON "reply_feedback" USING btree ("message_id","user_id");--> statement-breakpoint
CREATE INDEX "reply_feedback_twin" ON "reply_feedback" USING btree ("twin_id","id");--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['integrations', 'reply_feedback', 'subscriptions', 'payments'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO dt_request
         USING (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)
         WITH CHECK (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)', tenant_table);
    EXECUTE format('CREATE POLICY platform_reads ON %I FOR SELECT TO dt_platform USING (true)', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO dt_request', tenant_table);
    EXECUTE format('GRANT SELECT ON %I TO dt_platform', tenant_table);
  END LOOP;
END $$;
--> statement-breakpoint
INSERT INTO subscription_plans (id, name, description, price, billing_period, features, place) VALUES
  ('starter', 'Starter', 'Чтобы попробовать', 0, 'month',
    ARRAY['1 двойник', '100 сообщений в месяц', 'Базовая аналитика', 'Поддержка по e-mail'], 1),
  ('business', 'Business', 'Для растущей команды', 4999, 'month',
    ARRAY['5 агентов', '10,000 сообщений в месяц', 'Расширенная аналитика', 'CRM интеграции', 'Поддержка 24/7'], 2),
  ('enterprise', 'Enterprise', 'Для компании', 25000, 'month',
    ARRAY['Безлимитные агенты и сообщения', 'Приватное облако', 'Персональный менеджер', '99.9% SLA'], 3);
