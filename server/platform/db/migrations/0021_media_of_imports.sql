ALTER TABLE "media_files" DROP CONSTRAINT "media_files_owner";--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "with_attached" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "imported_message_id" bigint;--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_imported_message_id_messages_id_fk" FOREIGN KEY ("imported_message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "media_files_imported" ON "media_files" USING btree ("imported_message_id","place");--> statement-breakpoint
CREATE INDEX "media_files_import" ON "media_files" USING btree ("import_id");--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_owner" CHECK (num_nonnulls(event_id, message_id, document_id, imported_message_id) = 1);