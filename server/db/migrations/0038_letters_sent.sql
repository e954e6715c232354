CREATE TABLE "letters_sent" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "letters_sent_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" uuid,
	"org_id" uuid,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "letters_sent" ADD CONSTRAINT "letters_sent_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "letters_sent" ADD CONSTRAINT "letters_sent_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "letters_sent_recipient" ON "letters_sent" USING btree ("recipient","kind","at");--> statement-breakpoint
CREATE INDEX "letters_sent_user" ON "letters_sent" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "letters_sent_org" ON "letters_sent" USING btree ("org_id","at");--> statement-breakpoint
CREATE INDEX "letters_sent_at" ON "letters_sent" USING btree ("at");