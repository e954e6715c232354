CREATE INDEX "conversations_contact" ON "conversations" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "exemplars_chat" ON "exemplars" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "exemplars_contact" ON "exemplars" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "messages_contact" ON "messages" USING btree ("contact_id");