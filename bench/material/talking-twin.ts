// A twin that has learnt talks, as an import and a training would make it.
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { ensureChat, ensureContacts, ensureSource, storeMessages } from "#server/knowledge/messages/messages.ts";
import { pairChat } from "#server/knowledge/messages/pair-chats.ts";
import { keepCommonSamples } from "#server/knowledge/public-replies/style-samples.ts";
import { buildTwinIndex } from "#server/knowledge/search/build-twin-index.ts";
import { measureHistory } from "#server/knowledge/style/measure-history.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { chats, chunks, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { refreshStatistics } from "#server/platform/db/statistics.ts";
import { buildTenantWithTwin } from "#server/test/factories/build-rows.ts";

export interface TalkLine {
  /** null: the owner. */
  author: string | null;
  text: string;
  /** Milliseconds since 1970, ascending. */
  at: number;
}

export interface Talk {
  name: string;
  kind: "private" | "group";
  lines: TalkLine[];
}

export interface TalkingTwin {
  twinId: string;
  tenant: Tenant;
}

const calm = new AbortController().signal;
const PLATFORM = "telegram";

/** A user with a twin who has had the talks and read the chunks; neither indexed nor measured yet. */
export async function twinOfTalks(
  db: Database,
  talks: readonly Talk[],
  read: readonly string[] = [],
  changes: Parameters<typeof buildTenantWithTwin>[1] = {},
): Promise<TalkingTwin> {
  const { tenant, twinId } = await buildTenantWithTwin(db, { name: "Двойник", ...changes });
  const source = { kind: "export", platform: PLATFORM, externalId: "1", name: "Выгрузка" } as const;
  const sourceId = await asTenant(db, tenant, (tx) => ensureSource(tx, tenant, twinId, source));
  const place = { twinId, sourceId, platform: PLATFORM };
  for (const [at, talk] of talks.entries()) {
    await asTenant(db, tenant, async (tx) => {
      const names = [...new Set(talk.lines.flatMap(({ author }) => author ?? []))];
      const people = await ensureContacts(
        tx,
        tenant,
        place,
        names.map((name) => ({ externalId: name, name })),
      );
      const chatId = await ensureChat(tx, tenant, place, { externalId: `${at}`, kind: talk.kind, name: talk.name });
      const lines = talk.lines.map(({ author, text, at: sentAt }, line) => ({
        chatId,
        contactId: author === null ? null : people.get(author)!,
        fromOwner: author === null,
        externalId: `${line}`,
        replyTo: null,
        kind: "text" as const,
        text,
        sentAt: new Date(sentAt),
      }));
      await storeMessages(tx, tenant, place, lines);
      await pairChat(tx, tenant, { twinId, chatId });
    });
  }
  if (read.length > 0) await addChunks(db, tenant, twinId, read);
  await refreshStatistics(db, [chats, messages, replyExamples, chunks]);
  return { twinId, tenant };
}

async function addChunks(db: Database, tenant: Tenant, twinId: string, texts: readonly string[]): Promise<void> {
  const [documentId, org] = [randomUUID(), tenant.organizationId];
  await asTenant(db, tenant, async (tx) => {
    await tx.execute(sql`insert into documents (id, org_id, twin_id, name, type, content, content_hash, split_at)
      values (${documentId}, ${org}, ${twinId}, 'Д', 'faq', '', '', now())`);
    await tx.execute(sql`insert into chunks (org_id, twin_id, document_id, ordinal, text)
      select ${org}, ${twinId}, ${documentId}, at, text
      from unnest(${sql.param(texts)}::text[]) with ordinality as given (text, at)`);
  });
}

/** What a training does with talks: indexes them, measures how their owner writes, and chooses samples of it for strangers. */
export async function learn(db: Database, { twinId, tenant }: TalkingTwin): Promise<void> {
  await buildTwinIndex(db, tenant, twinId);
  const measured = await measureHistory(db, tenant, twinId, { signal: calm });
  await asTenant(db, tenant, (tx) =>
    tx.update(twins).set({ styleProfile: measured?.style, trainedRevision: 1 }).where(eq(twins.id, twinId)),
  );
  await keepCommonSamples(db, { ...tenant, twinId }, calm);
}
