-- What the last build before 0.2.0 called otherwise. On one side of its renaming or the other: what is named well stays.
ALTER TABLE IF EXISTS exemplars RENAME TO reply_examples;
ALTER TABLE IF EXISTS passages RENAME TO chunks;

DO $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT attrelid::regclass AS place, attname AS name,
      CASE attname WHEN 'grounds' THEN 'citations' ELSE
        replace(replace(replace(attname, 'exemplar', 'reply_example'), 'passage', 'chunk'), 'meaning_', 'embedding_') END AS new_name
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND attname ~ 'exemplar|passage|^meaning_|^grounds$'
  LOOP
    EXECUTE format('ALTER TABLE %s RENAME COLUMN %I TO %I', one.place, one.name, one.new_name);
  END LOOP;
  -- Their own names follow: constraints (with their indexes), then indexes and sequences.
  FOR one IN
    SELECT conrelid::regclass AS place, conname AS name, 
      replace(replace(replace(conname, 'exemplar', 'reply_example'), 'passage', 'chunk'), '_meaning_', '_embedding_') AS new_name
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conname ~ 'exemplar|passage|_meaning_'
  LOOP
    EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', one.place, one.name, left(one.new_name, 63));
  END LOOP;
  FOR one IN
    SELECT oid::regclass AS place, relkind, replace(replace(relname, 'exemplar', 'reply_example'), 'passage', 'chunk') AS new_name
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('i', 'S') AND relname ~ 'exemplar|passage'
  LOOP
    EXECUTE format('ALTER %s %s RENAME TO %I', CASE one.relkind WHEN 'i' THEN 'INDEX' ELSE 'SEQUENCE' END, one.place, one.new_name);
  END LOOP;
END $$;

-- The owner of the tables is held by their row-level security as well where he is no superuser.
ALTER TABLE index_segments NO FORCE ROW LEVEL SECURITY;
ALTER TABLE corrections NO FORCE ROW LEVEL SECURITY;
ALTER TABLE conversation_messages NO FORCE ROW LEVEL SECURITY;
ALTER TABLE outbox NO FORCE ROW LEVEL SECURITY;
ALTER TABLE twins NO FORCE ROW LEVEL SECURITY;
ALTER TABLE twin_versions NO FORCE ROW LEVEL SECURITY;

-- Parts of the index have the former names inside their bytes: the training that the server asks for at its start makes them anew.
UPDATE twins SET knowledge_revision = knowledge_revision + 1
  WHERE id IN (SELECT twin_id FROM index_segments WHERE kind <> 'message');
DELETE FROM index_segments WHERE kind <> 'message';
UPDATE corrections SET kind = 'example' WHERE kind = 'exemplar';
UPDATE conversation_messages SET citations = (citations - 'exemplars') || jsonb_build_object('replyExamples', citations->'exemplars')
  WHERE citations ? 'exemplars';
UPDATE outbox SET citations = (citations - 'exemplars') || jsonb_build_object('replyExamples', citations->'exemplars')
  WHERE citations ? 'exemplars';
UPDATE twins SET style_profile = replace(style_profile::text, '"sayings":', '"setPhrases":')::jsonb
  WHERE style_profile::text LIKE '%"sayings":%';
UPDATE twin_versions SET snapshot = replace(snapshot::text, '"sayings":', '"setPhrases":')::jsonb
  WHERE snapshot::text LIKE '%"sayings":%';

ALTER TABLE index_segments FORCE ROW LEVEL SECURITY;
ALTER TABLE corrections FORCE ROW LEVEL SECURITY;
ALTER TABLE conversation_messages FORCE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
ALTER TABLE twins FORCE ROW LEVEL SECURITY;
ALTER TABLE twin_versions FORCE ROW LEVEL SECURITY;
