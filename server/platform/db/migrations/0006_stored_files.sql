CREATE TABLE "stored_files" (
	"name" text PRIMARY KEY NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"writer" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_pieces" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text,
	"place" integer,
	"bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "stored_pieces" ADD CONSTRAINT "stored_pieces_name_stored_files_name_fk" FOREIGN KEY ("name") REFERENCES "public"."stored_files"("name") ON DELETE set null ON UPDATE cascade;--> statement-breakpoint
CREATE UNIQUE INDEX "stored_pieces_place" ON "stored_pieces" USING btree ("name","place");--> statement-breakpoint
CREATE INDEX "stored_pieces_left" ON "stored_pieces" USING btree ("created_at");