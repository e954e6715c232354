CREATE TABLE "model_exams" (
	"subject" text PRIMARY KEY NOT NULL,
	"local_model_id" uuid,
	"exam" jsonb,
	"answers" jsonb,
	"run" jsonb
);
--> statement-breakpoint
CREATE TABLE "twin_exam_answers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "twin_exam_answers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"exam_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"question" text NOT NULL,
	"contact_id" bigint,
	"reply_example_id" bigint,
	"document_id" uuid,
	"reply" text,
	"reason" text,
	"held_for" text,
	"confidence" double precision,
	"band" text,
	"accepted" boolean,
	"decided_at" timestamp with time zone,
	"secrecy" text NOT NULL,
	CONSTRAINT "twin_exam_answers_band" CHECK (band in ('sure', 'unsure', 'plain'))
);
--> statement-breakpoint
CREATE TABLE "twin_exams" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"org_id" uuid NOT NULL,
	"twin_id" uuid NOT NULL,
	"model" text,
	"chunks" integer NOT NULL,
	"letters" integer NOT NULL,
	"failure" text,
	"asked_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gaps" ADD COLUMN "checked_by" text;--> statement-breakpoint
ALTER TABLE "remote_models" ADD COLUMN "exam_answers" jsonb;--> statement-breakpoint
ALTER TABLE "model_exams" ADD CONSTRAINT "model_exams_local_model_id_local_models_id_fk" FOREIGN KEY ("local_model_id") REFERENCES "public"."local_models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_exam_answers" ADD CONSTRAINT "twin_exam_answers_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_exam_answers" ADD CONSTRAINT "twin_exam_answers_exam_id_twin_exams_id_fk" FOREIGN KEY ("exam_id") REFERENCES "public"."twin_exams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_exam_answers" ADD CONSTRAINT "twin_exam_answers_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_exam_answers" ADD CONSTRAINT "twin_exam_answers_reply_example_id_reply_examples_id_fk" FOREIGN KEY ("reply_example_id") REFERENCES "public"."reply_examples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_exam_answers" ADD CONSTRAINT "twin_exam_answers_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_exams" ADD CONSTRAINT "twin_exams_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "twin_exams" ADD CONSTRAINT "twin_exams_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_exams_local_model" ON "model_exams" USING btree ("local_model_id");--> statement-breakpoint
CREATE UNIQUE INDEX "twin_exam_answers_place" ON "twin_exam_answers" USING btree ("exam_id","place");--> statement-breakpoint
CREATE INDEX "twin_exam_answers_contact" ON "twin_exam_answers" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "twin_exam_answers_reply_example" ON "twin_exam_answers" USING btree ("reply_example_id");--> statement-breakpoint
CREATE INDEX "twin_exam_answers_document" ON "twin_exam_answers" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "twin_exam_answers_org" ON "twin_exam_answers" USING btree ("org_id");--> statement-breakpoint
CREATE UNIQUE INDEX "twin_exams_open" ON "twin_exams" USING btree ("twin_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "twin_exams_twin" ON "twin_exams" USING btree ("twin_id","created_at");--> statement-breakpoint
CREATE INDEX "twin_exams_org" ON "twin_exams" USING btree ("org_id");--> statement-breakpoint
SELECT protect_tenant_table('twin_exams');--> statement-breakpoint
SELECT protect_tenant_table('twin_exam_answers');
