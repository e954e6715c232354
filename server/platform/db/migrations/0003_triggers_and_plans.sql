-- What no table definition says: what happens by itself when rows change, and the rows that each installation begins with.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only';
END $$;

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Whatever changes in the inbox is told with the commit, by whichever function it was done: organisation, member (of a test
-- chat, else nothing), kind, conversation. Never a text. PostgreSQL tells the same thing once in a transaction.
CREATE FUNCTION tell_inbox(org_id uuid, member uuid, kind text, conversation uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('inbox', concat_ws(',', org_id, coalesce(member::text, ''), kind, conversation));
$$;

CREATE FUNCTION tell_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE talk conversations := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(talk.org_id, talk.user_id, 'conversation', talk.id);
  RETURN NULL;
END $$;

CREATE FUNCTION tell_answer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE answer outbox := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(answer.org_id, NULL, 'answer', answer.conversation_id);
  RETURN NULL;
END $$;

CREATE FUNCTION tell_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE note conversation_notes := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(note.org_id, NULL, 'note', note.conversation_id);
  RETURN NULL;
END $$;

CREATE FUNCTION tell_fact() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE fact contact_facts := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_inbox(c.org_id, NULL, 'contact', c.id) FROM conversations c WHERE c.contact_id = fact.contact_id;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_inbox(c.org_id, NULL, 'contact', c.id) FROM conversations c WHERE c.contact_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON conversations FOR EACH ROW EXECUTE FUNCTION tell_conversation();

CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION tell_answer();

CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON conversation_notes FOR EACH ROW EXECUTE FUNCTION tell_note();

CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON contact_facts FOR EACH ROW EXECUTE FUNCTION tell_fact();

CREATE TRIGGER tell AFTER UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION tell_contact();

-- A recurring reply stands on all of its pairs: with one of them gone nobody knows any more that three were told the like.
CREATE FUNCTION close_unwitnessed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM open_replies WHERE id = OLD.open_reply_id;
  RETURN NULL;
END $$;

CREATE TRIGGER open_reply_witnesses_gone AFTER DELETE ON open_reply_witnesses
  FOR EACH ROW EXECUTE FUNCTION close_unwitnessed();

-- What somebody deletes must not stay in a zip that waits. Exports of the organisation hold every twin; an account's its own twins and
-- test chats. What a cascade removes went with a row that somebody named, and that row's trigger has spoken.
CREATE FUNCTION outdate_exports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM data_exports WHERE state IN ('running', 'ready')) THEN
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'twins' THEN
    UPDATE data_exports e SET state = 'failed', reason = 'outdated'
    WHERE e.state IN ('running', 'ready') AND EXISTS (
      SELECT 1 FROM gone g WHERE g.org_id = e.org_id AND (e.scope = 'organization' OR g.owner_id = e.user_id));
  ELSIF TG_TABLE_NAME = 'conversations' THEN
    UPDATE data_exports e SET state = 'failed', reason = 'outdated'
    WHERE e.state IN ('running', 'ready') AND EXISTS (
      SELECT 1 FROM gone g JOIN twins t ON t.id = g.twin_id
      WHERE g.org_id = e.org_id AND (
        (g.user_id IS NULL AND (e.scope = 'organization' OR t.owner_id = e.user_id))
        OR (e.scope = 'account' AND g.user_id = e.user_id)));
  ELSE
    UPDATE data_exports e SET state = 'failed', reason = 'outdated'
    WHERE e.state IN ('running', 'ready') AND EXISTS (
      SELECT 1 FROM gone g JOIN twins t ON t.id = g.twin_id
      WHERE g.org_id = e.org_id AND (e.scope = 'organization' OR t.owner_id = e.user_id));
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['twins', 'documents', 'sources', 'chats', 'contacts', 'conversations'] LOOP
    EXECUTE format(
      'CREATE TRIGGER outdates_exports AFTER DELETE ON %I REFERENCING OLD TABLE AS gone
         FOR EACH STATEMENT EXECUTE FUNCTION outdate_exports()', kept);
  END LOOP;
END $$;

-- Postings hardly shrink: PostgreSQL would try for as long as it takes to write them, and keep them as they are.
ALTER TABLE "index_segments" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

-- What can be subscribed to; the platform's administrators edit it.
INSERT INTO subscription_plans (id, name, description, price, billing_period, features, place) VALUES
  ('starter', 'Starter', 'Чтобы попробовать', 0, 'month',
    ARRAY['1 двойник', '100 сообщений в месяц', 'Базовая аналитика', 'Поддержка по e-mail'], 1),
  ('business', 'Business', 'Для растущей команды', 4999, 'month',
    ARRAY['5 агентов', '10,000 сообщений в месяц', 'Расширенная аналитика', 'CRM интеграции', 'Поддержка 24/7'], 2),
  ('enterprise', 'Enterprise', 'Для компании', 25000, 'month',
    ARRAY['Безлимитные агенты и сообщения', 'Приватное облако', 'Персональный менеджер', '99.9% SLA'], 3);
