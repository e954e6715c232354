CREATE TABLE "gap_questions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gap_questions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"gap_id" uuid,
	"conversation_id" uuid NOT NULL,
	"message_id" bigint NOT NULL,
	"said" text NOT NULL,
	"question" text,
	"embedding_codes" "bytea",
	"embedding_model" text,
	"answered" boolean,
	"told" text,
	"outbox_id" uuid,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gap_questions_told" CHECK (told in ('sent', 'draft', 'by_hand', 'own_chat', 'unreachable'))
);
--> statement-breakpoint
CREATE TABLE "gaps" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"ignored_as" text,
	"answered_by" text,
	"correction_id" uuid,
	"decided_at" timestamp with time zone,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gaps_state" CHECK (state in ('open', 'answered', 'ignored')),
	CONSTRAINT "gaps_ignored" CHECK ((state = 'ignored') = (ignored_as is not null)),
	CONSTRAINT "gaps_answered" CHECK ((state = 'answered') = (answered_by is not null))
);
--> statement-breakpoint
ALTER TABLE "gap_questions" ADD CONSTRAINT "gap_questions_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gap_questions" ADD CONSTRAINT "gap_questions_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gap_questions" ADD CONSTRAINT "gap_questions_gap_id_gaps_id_fk" FOREIGN KEY ("gap_id") REFERENCES "public"."gaps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gap_questions" ADD CONSTRAINT "gap_questions_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gap_questions" ADD CONSTRAINT "gap_questions_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gap_questions" ADD CONSTRAINT "gap_questions_outbox_id_outbox_id_fk" FOREIGN KEY ("outbox_id") REFERENCES "public"."outbox"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gaps" ADD CONSTRAINT "gaps_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gaps" ADD CONSTRAINT "gaps_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gaps" ADD CONSTRAINT "gaps_correction_id_corrections_id_fk" FOREIGN KEY ("correction_id") REFERENCES "public"."corrections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "gap_questions_message" ON "gap_questions" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "gap_questions_twin" ON "gap_questions" USING btree ("twin_id","asked_at");--> statement-breakpoint
CREATE INDEX "gap_questions_gap" ON "gap_questions" USING btree ("gap_id","id");--> statement-breakpoint
CREATE INDEX "gap_questions_conversation" ON "gap_questions" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "gap_questions_outbox" ON "gap_questions" USING btree ("outbox_id");--> statement-breakpoint
CREATE INDEX "gap_questions_org" ON "gap_questions" USING btree ("org_id","asked_at");--> statement-breakpoint
CREATE INDEX "gaps_twin" ON "gaps" USING btree ("twin_id","state");--> statement-breakpoint
CREATE INDEX "gaps_org" ON "gaps" USING btree ("org_id");--> statement-breakpoint
CREATE INDEX "gaps_correction" ON "gaps" USING btree ("correction_id");--> statement-breakpoint
SELECT protect_tenant_table('gaps');--> statement-breakpoint
SELECT protect_tenant_table('gap_questions');
