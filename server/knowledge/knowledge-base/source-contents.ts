/** Shows and removes the contents of a source. Only the twin's owner may see messages, so for anyone else a source does not exist. */
import { and, count, desc, eq, ilike, max, min } from "drizzle-orm";
import { SOURCE_ROWS, type SourceContents } from "#contract/knowledge/knowledge-base.ts";
import type { AuditAction } from "#contract/organizations/audit.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { forgetChats, forgetSource } from "#server/knowledge/forgetting/forget.ts";
import { forgetContact } from "#server/knowledge/forgetting/forget-contact.ts";
import { removeMediaRemains } from "#server/models/media/remains.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chats, contacts, messages, sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";

interface Deps {
  db: Database;
  jobs: Jobs;
  files: FileStore;
  log: Log;
}

const sourceNotFound = () => notFound("Источник данных не найден", "source_not_found");

/** @throws Problem 404 */
export function sourceContents(db: Database, caller: Tenant, id: string, search = ""): Promise<SourceContents> {
  const like = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return asTenant(db, caller, async (tx) => {
    await findSource(tx, caller, id);
    const found = await tx
      .select({
        id: chats.id,
        name: chats.name,
        kind: chats.kind,
        messages: count(messages.id),
        from: min(messages.sentAt),
        to: max(messages.sentAt),
      })
      .from(chats)
      .leftJoin(messages, eq(messages.chatId, chats.id))
      .where(and(eq(chats.sourceId, id), search === "" ? undefined : ilike(chats.name, like)))
      .groupBy(chats.id)
      .orderBy(desc(count(messages.id)), chats.id)
      .limit(SOURCE_ROWS);
    const people = await tx
      .select({ id: contacts.id, name: contacts.name, messages: count(messages.id) })
      .from(messages)
      .innerJoin(chats, eq(chats.id, messages.chatId))
      .innerJoin(contacts, eq(contacts.id, messages.contactId))
      .where(and(eq(chats.sourceId, id), search === "" ? undefined : ilike(contacts.name, like)))
      .groupBy(contacts.id)
      .orderBy(desc(count(messages.id)), contacts.id)
      .limit(SOURCE_ROWS);
    return {
      chats: found.map((chat) => ({
        ...chat,
        id: String(chat.id),
        from: chat.from?.toISOString() ?? null,
        to: chat.to?.toISOString() ?? null,
      })),
      people: people.map((person) => ({ ...person, id: String(person.id) })),
    };
  });
}

/** @throws Problem 404, 403 */
export async function removeSource(deps: Deps, caller: Caller, id: string): Promise<void> {
  const files = await asTenant(deps.db, caller, async (tx) => {
    const { twinId } = await findSource(tx, caller, id);
    await getChangeableTwin(tx, caller, twinId);
    const left = await forgetSource({ tx, jobs: deps.jobs, tenant: caller, twinId }, id);
    await record(tx, caller, "source-deleted", id);
    return left;
  });
  // After the commit, because a rolled back deletion must keep its files.
  await removeFiles(deps, files);
  await removeMediaRemains(deps);
}

/** @throws Problem 404, 403 */
export async function removeChat(deps: Deps, caller: Caller, sourceId: string, id: number): Promise<void> {
  const { db, jobs } = deps;
  await asTenant(db, caller, async (tx) => {
    const { twinId } = await findSource(tx, caller, sourceId);
    await getChangeableTwin(tx, caller, twinId);
    const [chat] = await tx
      .select({ id: chats.id })
      .from(chats)
      .where(and(eq(chats.id, id), eq(chats.sourceId, sourceId)));
    if (chat === undefined) throw notFound("Чат не найден", "chat_not_found");
    await forgetChats({ tx, jobs, tenant: caller, twinId }, [id]);
    await record(tx, caller, "chat-deleted", String(id));
  });
  await removeMediaRemains(deps);
}

/**
 * Deletes a person from all sources of the twin, although the URL names one source.
 * @throws Problem 404, 403, 409 like forgetContact
 */
export async function removePerson(deps: Deps, caller: Caller, sourceId: string, id: number): Promise<void> {
  const { db, jobs } = deps;
  await asTenant(db, caller, async (tx) => {
    const { twinId } = await findSource(tx, caller, sourceId);
    await getChangeableTwin(tx, caller, twinId);
    const [person] = await tx
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(eq(contacts.id, id), eq(contacts.twinId, twinId)));
    if (person === undefined) throw notFound("Собеседник не найден", "person_not_found");
    await forgetContact(tx, jobs, caller, id);
  });
  await removeMediaRemains(deps);
}

async function findSource(tx: Tx, caller: Tenant, id: string): Promise<{ twinId: string }> {
  const [source] = await tx
    .select({ twinId: sources.twinId })
    .from(sources)
    .innerJoin(twins, eq(twins.id, sources.twinId))
    .where(and(eq(sources.id, id), eq(sources.orgId, caller.organizationId), eq(twins.ownerId, caller.userId)));
  if (source === undefined) throw sourceNotFound();
  return source;
}

/** Records that something was removed, but not what it was. */
function record(tx: Tx, { userId, organizationId }: Caller, action: AuditAction, subject: string): Promise<void> {
  return auditInTenant(tx, { action, userId, organizationId, subject });
}
