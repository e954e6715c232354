ALTER TABLE "contacts" ADD COLUMN "person_id" uuid;--> statement-breakpoint
CREATE INDEX "contacts_person" ON "contacts" USING btree ("person_id") WHERE "contacts"."person_id" is not null;