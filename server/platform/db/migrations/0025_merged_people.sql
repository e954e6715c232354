ALTER TABLE "contacts" ADD COLUMN "merged_id" uuid;--> statement-breakpoint
CREATE INDEX "contacts_merged" ON "contacts" USING btree ("merged_id") WHERE "contacts"."merged_id" is not null;--> statement-breakpoint
-- What three contacts of one person were told alike was open to all: it closes now, and the training that the server's start asks for
-- counts these people anew (docs/decisions/021-shared-past-replies.md).
ALTER TABLE contacts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE twins NO FORCE ROW LEVEL SECURITY;
ALTER TABLE reply_examples NO FORCE ROW LEVEL SECURITY;
ALTER TABLE open_replies NO FORCE ROW LEVEL SECURITY;
ALTER TABLE open_reply_witnesses NO FORCE ROW LEVEL SECURITY;

UPDATE contacts SET merged_id = person_id WHERE person_id IS NOT NULL;

DELETE FROM open_replies WHERE origin = 'recurring' AND id IN (
  SELECT w.open_reply_id FROM contacts c
  JOIN reply_examples e ON e.contact_id = c.id JOIN open_reply_witnesses w ON w.reply_example_id = e.id
  WHERE c.person_id IS NOT NULL GROUP BY w.open_reply_id, c.person_id HAVING count(DISTINCT c.id) > 1);

UPDATE twins SET style_profile = NULL, knowledge_revision = knowledge_revision + 1
WHERE id IN (SELECT twin_id FROM contacts WHERE person_id IS NOT NULL);

ALTER TABLE contacts FORCE ROW LEVEL SECURITY;
ALTER TABLE twins FORCE ROW LEVEL SECURITY;
ALTER TABLE reply_examples FORCE ROW LEVEL SECURITY;
ALTER TABLE open_replies FORCE ROW LEVEL SECURITY;
ALTER TABLE open_reply_witnesses FORCE ROW LEVEL SECURITY;
