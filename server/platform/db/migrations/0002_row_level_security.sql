SELECT protect_tenant_table(tenant_table) FROM unnest(ARRAY[
  -- Twins and what they know
  'twins', 'fidelity_measures', 'fidelity_examples', 'voice_adapters', 'blind_tests',
  'sources', 'documents', 'chunks', 'contacts', 'contact_facts', 'chats', 'messages',
  'reply_examples', 'open_replies', 'open_reply_witnesses', 'reply_proposals', 'fact_proposals', 'declined_replies',
  'index_segments', 'embeddings', 'export_uploads', 'imports',
  -- Conversations of the twin
  'conversations', 'conversation_messages', 'conversation_notes', 'reply_feedback', 'corrections', 'twin_versions',
  -- Platforms that the twin is connected to
  'integrations', 'integration_events', 'channel_state', 'telegram_logins', 'business_connections', 'widgets', 'widget_addresses',
  'inbox_events', 'set_aside_events', 'outbox', 'owner_chats', 'owner_notices',
  -- What an organisation has decided
  'twin_stops', 'local_model_rules', 'organization_models', 'remote_models', 'model_budgets', 'subscriptions', 'payments',
  -- Other programs that ask the twin
  'api_keys', 'api_key_usage', 'webhooks', 'webhook_deliveries',
  -- What happened, and what is kept for a while
  'activity', 'daily_usage', 'data_exports', 'idempotency_keys'
]::regclass[]) AS tenant_table;

-- The audit log is the platform's. The role of requests appends what was done in its organisation; it reads, changes and
-- removes nothing there.
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY appended ON audit_log FOR INSERT TO dt_request
  WITH CHECK (org_id = nullif(current_setting('app.org', true), '')::uuid);
GRANT INSERT ON audit_log TO dt_request;
