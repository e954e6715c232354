-- One check for each row where there were three, and a row is of its chat's twin and organisation.
CREATE UNIQUE INDEX "chats_place" ON "chats" USING btree ("id","twin_id","org_id");
--> statement-breakpoint
ALTER TABLE "exemplars" DROP CONSTRAINT "exemplars_org_id_organizations_id_fk";
--> statement-breakpoint
ALTER TABLE "exemplars" DROP CONSTRAINT "exemplars_twin_id_twins_id_fk";
--> statement-breakpoint
ALTER TABLE "exemplars" DROP CONSTRAINT "exemplars_chat_id_chats_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_org_id_organizations_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_twin_id_twins_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_chat_id_chats_id_fk";
--> statement-breakpoint
ALTER TABLE "exemplars" ADD CONSTRAINT "exemplars_place" FOREIGN KEY ("chat_id","twin_id","org_id") REFERENCES "public"."chats"("id","twin_id","org_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_place" FOREIGN KEY ("chat_id","twin_id","org_id") REFERENCES "public"."chats"("id","twin_id","org_id") ON DELETE cascade ON UPDATE no action;