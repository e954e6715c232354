ALTER TABLE "media_files" DROP CONSTRAINT "media_files_owner";--> statement-breakpoint
ALTER TABLE "media_files" ADD COLUMN "document_id" uuid;--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "media_files_document" ON "media_files" USING btree ("document_id");--> statement-breakpoint
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_owner" CHECK (num_nonnulls(event_id, message_id, document_id) = 1);