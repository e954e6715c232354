CREATE TABLE "conversation_labels" (
	"org_id" uuid NOT NULL,
	"conversation_id" uuid NOT NULL,
	"label_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversation_labels_conversation_id_label_id_pk" PRIMARY KEY("conversation_id","label_id")
);
--> statement-breakpoint
CREATE TABLE "labels" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_replies" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "snoozed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversation_labels" ADD CONSTRAINT "conversation_labels_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_labels" ADD CONSTRAINT "conversation_labels_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversation_labels" ADD CONSTRAINT "conversation_labels_label_id_labels_id_fk" FOREIGN KEY ("label_id") REFERENCES "public"."labels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_replies" ADD CONSTRAINT "saved_replies_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversation_labels_label" ON "conversation_labels" USING btree ("label_id");--> statement-breakpoint
CREATE INDEX "conversation_labels_org" ON "conversation_labels" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "labels_name" ON "labels" USING btree ("org_id",lower("name"));--> statement-breakpoint
CREATE INDEX "saved_replies_org" ON "saved_replies" USING btree ("org_id","title");--> statement-breakpoint
CREATE INDEX "conversations_snoozed" ON "conversations" USING btree ("org_id","snoozed_until") WHERE snoozed_until is not null;--> statement-breakpoint
SELECT protect_tenant_table('labels');--> statement-breakpoint
SELECT protect_tenant_table('conversation_labels');--> statement-breakpoint
SELECT protect_tenant_table('saved_replies');--> statement-breakpoint
-- A label that is put on a conversation or taken off is told like any other change of it (0003).
CREATE FUNCTION tell_label() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed conversation_labels := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(c.org_id, c.user_id, 'conversation', c.id) FROM conversations c WHERE c.id = changed.conversation_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tell AFTER INSERT OR DELETE ON conversation_labels FOR EACH ROW EXECUTE FUNCTION tell_label();
