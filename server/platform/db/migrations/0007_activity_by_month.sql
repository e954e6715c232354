-- The activity feed grows by a row a reply and is deleted by age. By month, a month goes with its partition instead of row by row
-- (docs/decisions/011-data-retention.md). No row is copied: what there is becomes the partition of all time before next month.
-- Partitions lie in a schema that the roles of requests cannot look into: they ask the table, and meet its policies.
CREATE SCHEMA partitions;
ALTER TABLE activity RENAME TO activity_before;
ALTER TABLE activity_before SET SCHEMA partitions;
DROP POLICY tenant ON partitions.activity_before;
DROP POLICY platform_reads ON partitions.activity_before;
REVOKE ALL ON partitions.activity_before FROM dt_request, dt_platform;
-- Whoever owns the tables clears partitions of all organisations at once.
ALTER TABLE partitions.activity_before NO FORCE ROW LEVEL SECURITY;

CREATE TABLE "activity" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"org_id" uuid NOT NULL,
	"twin_id" uuid,
	"type" text NOT NULL,
	"twin_name" text NOT NULL,
	"description" text NOT NULL,
	"conversation_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "activity_pkey" PRIMARY KEY("id","created_at")
) PARTITION BY RANGE ("created_at");
ALTER TABLE "activity" ADD CONSTRAINT "activity_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "activity" ADD CONSTRAINT "activity_twin_id_twins_id_fk" FOREIGN KEY ("twin_id") REFERENCES "public"."twins"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "activity" ADD CONSTRAINT "activity_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "activity_org" ON "activity" USING btree ("org_id","id");
CREATE INDEX "activity_twin" ON "activity" USING btree ("twin_id");
CREATE INDEX "activity_conversation" ON "activity" USING btree ("conversation_id");
SELECT protect_tenant_table('activity');

-- Ids go on where they were.
SELECT setval('public.activity_id_seq', last_value, is_called) FROM partitions.activity_id_seq;
ALTER TABLE partitions.activity_before ALTER COLUMN id DROP IDENTITY;
ALTER TABLE partitions.activity_before DROP CONSTRAINT activity_pkey, ADD CONSTRAINT activity_before_pkey PRIMARY KEY (id, created_at);

-- Its indexes and keys are those of the new table, so nothing but the primary key is built again.
DO $$
DECLARE until timestamp with time zone;
BEGIN
  SELECT (date_trunc('month', greatest(now(), max(created_at)) AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'
    INTO until FROM partitions.activity_before;
  EXECUTE format('ALTER TABLE activity ATTACH PARTITION partitions.activity_before FOR VALUES FROM (MINVALUE) TO (%L)', until);
END $$;

-- Where a row goes whose month has no partition yet.
CREATE TABLE partitions.activity_rest PARTITION OF activity DEFAULT;
ALTER TABLE partitions.activity_rest ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
-- What is deleted by age is found by organisation and age.
DROP INDEX "inbox_events_org";--> statement-breakpoint
CREATE INDEX "inbox_events_org" ON "inbox_events" USING btree ("org_id","received_at");--> statement-breakpoint
DROP INDEX "owner_notices_org";--> statement-breakpoint
CREATE INDEX "owner_notices_org" ON "owner_notices" USING btree ("org_id","closed_at");--> statement-breakpoint
DROP INDEX "webhook_deliveries_org";--> statement-breakpoint
DROP INDEX "webhook_deliveries_age";--> statement-breakpoint
CREATE INDEX "webhook_deliveries_org" ON "webhook_deliveries" USING btree ("org_id","created_at");
