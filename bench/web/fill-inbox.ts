/**
 * `node bench/web/fill-inbox.ts DATA_DIR NUMBER`: that many conversations of two messages each, with contacts of the organisation that owns the
 * first twin, straight into the embedded database of a server that does not run.
 */
import { sql } from "drizzle-orm";
import { openDatabase } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { refreshStatistics } from "#server/platform/db/statistics.ts";

const [dataDir, number] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl: null, dataDir: dataDir! });
try {
  const { db } = database;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`create temp table made on commit drop as
      select gen_random_uuid() as id, n from generate_series(1, ${Number(number)}::int) n`);
    await tx.execute(sql`
      insert into conversations (id, org_id, twin_id, platform, participant_name, message_count, last_message, unread, updated_at)
      select made.id, t.org_id, t.id, 'telegram', 'Покупатель ' || n, 2, 'Спасибо, ждём заказ ' || n, (n % 9 = 0)::int, now() - n * interval '1 minute'
      from made, (select id, org_id from twins order by created_at limit 1) t`);
    await tx.execute(sql`
      insert into conversation_messages (org_id, conversation_id, role, content, created_at)
      select t.org_id, made.id, case line when 1 then 'user' else 'assistant' end,
        case line when 1 then 'Здравствуйте, когда привезут заказ ' || n || '?' else 'Заказ ' || n || ' привезут завтра до обеда' end,
        now() - n * interval '1 minute'
      from made, (select org_id from twins order by created_at limit 1) t, generate_series(1, 2) line`);
  });
  await refreshStatistics(db, [conversations, conversationMessages]);
} finally {
  await database.close();
}
