// A twin of given texts, written in few statements: what is measured is searching it, not how it came to be.
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { buildTenant } from "#server/test/factories/build-rows.ts";

export interface SearchedTwin {
  tenant: Tenant;
  twinId: string;
  documentId: string;
}

interface Texts {
  chunks: readonly string[];
  messages: readonly string[];
  /** So many of the newest messages are questions that were answered with themselves. */
  pairs?: number;
}

const AT_ONCE = 10_000;

/** A user with a twin who has read the chunks and said the messages in one chat; nothing is indexed. */
export async function searchedTwin(db: Database, { chunks, messages, pairs = 0 }: Texts): Promise<SearchedTwin> {
  const tenant: Tenant = await buildTenant(db);
  const [twinId, documentId, sourceId] = [randomUUID(), randomUUID(), randomUUID()];
  const org = tenant.organizationId;
  await asTenant(db, tenant, async (tx) => {
    await tx.execute(sql`insert into twins (id, org_id, owner_id, name, description, personality, communication_style)
      values (${twinId}, ${org}, ${tenant.userId}, 'Д', '', '', '')`);
    await tx.execute(sql`insert into documents (id, org_id, twin_id, name, type, content, content_hash)
      values (${documentId}, ${org}, ${twinId}, 'Д', 'faq', '', '')`);
    await tx.execute(sql`insert into chunks (org_id, twin_id, document_id, ordinal, text)
      select ${org}, ${twinId}, ${documentId}, at, text
      from unnest(${sql.param(chunks)}::text[]) with ordinality as given (text, at)`);
    await tx.execute(sql`insert into sources (id, org_id, twin_id, kind, platform, name, external_id)
      values (${sourceId}, ${org}, ${twinId}, 'export', 'telegram', 'И', '')`);
    const { rows: chat } = await tx.execute(sql`
      insert into chats (org_id, twin_id, source_id, platform, external_id, kind, name)
      values (${org}, ${twinId}, ${sourceId}, 'telegram', '1', 'private', 'Ч') returning id`);
    for (let at = 0; at < messages.length; at += AT_ONCE) {
      await tx.execute(sql`insert into messages (org_id, twin_id, chat_id, from_owner, external_id, text, sent_at)
        select ${org}, ${twinId}, ${chat[0]!.id}, true, ${`${at} `} || at, text, now()
        from unnest(${sql.param(messages.slice(at, at + AT_ONCE))}::text[]) with ordinality as given (text, at)`);
    }
    const { rows: contact } = await tx.execute(sql`insert into contacts (org_id, twin_id, platform, external_id, name)
      values (${org}, ${twinId}, 'telegram', '1', 'Ч') returning id`);
    await tx.execute(sql`insert into reply_examples
      (org_id, twin_id, chat_id, contact_id, incoming, reply, reply_message_id, audience, replied_at)
      select org_id, twin_id, chat_id, ${contact[0]!.id}, text, text, id, 0, sent_at from messages
      where twin_id = ${twinId} order by id desc limit ${pairs}`);
  });
  await db.execute(sql`analyze`);
  return { tenant, twinId, documentId };
}
