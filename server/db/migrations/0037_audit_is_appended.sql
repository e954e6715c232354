-- The role of requests appends to the log what was done in its organisation; it reads, changes and removes nothing there.
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
DO $$ BEGIN
  EXECUTE 'CREATE POLICY appended ON audit_log FOR INSERT TO dt_request
    WITH CHECK (org_id = nullif(current_setting(''app.org'', true), '''')::uuid)';
END $$;
--> statement-breakpoint
GRANT INSERT ON audit_log TO dt_request;
