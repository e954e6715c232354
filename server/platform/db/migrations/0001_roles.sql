-- Requests run as dt_request: it owns nothing, bypasses nothing and sees one organisation at a time, the one that
-- set_config('app.org', …, true) names in its transaction. dt_platform reads across organisations (platform totals,
-- resuming jobs) and changes nothing. Roles are the cluster's: another database may have made them.
DO $$ BEGIN
  CREATE ROLE dt_request NOLOGIN NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;

DO $$ BEGIN
  CREATE ROLE dt_platform NOLOGIN NOBYPASSRLS;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;

GRANT dt_request, dt_platform TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO dt_request, dt_platform;

-- Puts a table with `org_id` behind the wall. Forced: the table's owner is held as well, unless he is a superuser.
-- After a transaction the setting is '', not NULL: hence nullif.
CREATE FUNCTION protect_tenant_table(tenant_table regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', tenant_table);
  EXECUTE format(
    'CREATE POLICY tenant ON %s TO dt_request
       USING (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)
       WITH CHECK (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)', tenant_table);
  EXECUTE format('CREATE POLICY platform_reads ON %s FOR SELECT TO dt_platform USING (true)', tenant_table);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO dt_request', tenant_table);
  EXECUTE format('GRANT SELECT ON %s TO dt_platform', tenant_table);
END $$;

REVOKE EXECUTE ON FUNCTION protect_tenant_table FROM PUBLIC;
