-- Requests run as dt_request: it owns nothing, bypasses nothing and sees one organisation at a time, the one that
-- set_config('app.org', …, true) names in its transaction. dt_platform reads across organisations (platform totals,
-- resuming jobs) and changes nothing. After a transaction the setting is '', not NULL: hence nullif.
DO $$ BEGIN
  CREATE ROLE dt_request NOLOGIN NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
--> statement-breakpoint
DO $$ BEGIN
  CREATE ROLE dt_platform NOLOGIN NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT dt_request, dt_platform TO %I', current_user);
END $$;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA public TO dt_request, dt_platform');
END $$;
--> statement-breakpoint
DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY[
    'twins', 'sources', 'documents', 'passages', 'contacts', 'chats', 'messages', 'exemplars', 'index_segments',
    'imports', 'conversations', 'conversation_messages', 'activity', 'daily_usage', 'idempotency_keys'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY tenant ON %I TO dt_request
         USING (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)
         WITH CHECK (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)', tenant_table);
    EXECUTE format('CREATE POLICY platform_reads ON %I FOR SELECT TO dt_platform USING (true)', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO dt_request', tenant_table);
    EXECUTE format('GRANT SELECT ON %I TO dt_platform', tenant_table);
  END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
