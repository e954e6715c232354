-- Words of conversations are found by an index of trigrams (docs/decisions/036-inbox-search-snooze-and-notifications.md). Both extensions are trusted: whoever may create a schema
-- may create them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS btree_gin;--> statement-breakpoint
DROP INDEX "conversations_org";--> statement-breakpoint
CREATE INDEX "conversation_messages_org" ON "conversation_messages" USING btree ("org_id","id");--> statement-breakpoint
CREATE INDEX "conversation_messages_words" ON "conversation_messages" USING gin ("org_id",translate(lower("content"), 'ё', 'е') gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "conversations_org" ON "conversations" USING btree ("org_id","updated_at","id","status","unread","message_count","user_id");
--> statement-breakpoint
-- Under row-level security no index serves an operator that might leak what it compares, and matching text is one. So the index is asked by
-- a function in the name of dt_platform, which reads all rows; it looks at the organisation of the transaction alone, and answers with ids.
CREATE SCHEMA search;
GRANT USAGE ON SCHEMA search TO dt_request;
GRANT USAGE, CREATE ON SCHEMA search TO dt_platform;

-- The planner knows nothing of the words' frequency there, and would read all messages for a word that is nowhere.
CREATE FUNCTION search.messages_with(words text[], before bigint, most integer) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp SET enable_seqscan = off SET enable_indexscan = off SET random_page_cost = 1.1
AS $$
DECLARE
  org uuid := nullif(current_setting('app.org', true), '')::uuid;
  conditions text;
BEGIN
  SELECT string_agg(format($c$ AND translate(lower(content), 'ё', 'е') LIKE translate(lower(%L), 'ё', 'е')$c$,
      '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '')
    INTO conditions FROM unnest(words) word;
  RETURN QUERY EXECUTE 'SELECT id FROM conversation_messages WHERE org_id = $1 AND id < coalesce($2, 9223372036854775807)'
    || conditions || ' LIMIT $3' USING org, before, most;
END $$;
REVOKE EXECUTE ON FUNCTION search.messages_with FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search.messages_with TO dt_request;
ALTER FUNCTION search.messages_with OWNER TO dt_platform;
REVOKE CREATE ON SCHEMA search FROM dt_platform;
