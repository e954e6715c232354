/** What a source holds, and its removal. Letters are the twin's owner's: for anyone else a source does not exist. */
import { and, count, desc, eq, ilike, max, min } from "drizzle-orm";
import type { AuditAction } from "#contract/audit.ts";
import { SOURCE_ROWS, type SourceContents } from "#contract/knowledge-base.ts";
import { auditInTenant } from "#server/auth/audit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { chats, contacts, messages, sources, twins } from "#server/db/schema.ts";
import { notFound } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import type { Log } from "#server/log.ts";
import { removeFiles } from "#server/stored-files.ts";
import { getChangeableTwin } from "#server/twins/twins.ts";
import { forgetChats, forgetSource } from "./forget.ts";
import { forgetContact } from "./forget-contact.ts";

interface Deps {
  db: Database;
  jobs: Jobs;
  config: { dataDir: string };
  log: Log;
}

const sourceNotFound = () => notFound("Источник данных не найден", "source_not_found");

/** @throws Problem 404 */
export function sourceContents(db: Database, viewer: Tenant, id: string, search = ""): Promise<SourceContents> {
  const like = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return asTenant(db, viewer, async (tx) => {
    await findSource(tx, viewer, id);
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
export async function removeSource(deps: Deps, viewer: Viewer, id: string): Promise<void> {
  const files = await asTenant(deps.db, viewer, async (tx) => {
    const { twinId } = await findSource(tx, viewer, id);
    await getChangeableTwin(tx, viewer, twinId);
    const left = await forgetSource({ tx, jobs: deps.jobs, tenant: viewer, twinId }, id);
    await record(tx, viewer, "source-deleted", id);
    return left;
  });
  // After the commit: a rolled back deletion keeps its files.
  await removeFiles(deps, files);
}

/** @throws Problem 404, 403 */
export function removeChat({ db, jobs }: Deps, viewer: Viewer, sourceId: string, id: number): Promise<void> {
  return asTenant(db, viewer, async (tx) => {
    const { twinId } = await findSource(tx, viewer, sourceId);
    await getChangeableTwin(tx, viewer, twinId);
    const [chat] = await tx
      .select({ id: chats.id })
      .from(chats)
      .where(and(eq(chats.id, id), eq(chats.sourceId, sourceId)));
    if (chat === undefined) throw notFound("Чат не найден", "chat_not_found");
    await forgetChats({ tx, jobs, tenant: viewer, twinId }, [id]);
    await record(tx, viewer, "chat-deleted", String(id));
  });
}

/** Of all sources of the twin, though one names the person. @throws Problem 404, 403, 409 as forgetContact */
export function removePerson({ db, jobs }: Deps, viewer: Viewer, sourceId: string, id: number): Promise<void> {
  return asTenant(db, viewer, async (tx) => {
    const { twinId } = await findSource(tx, viewer, sourceId);
    await getChangeableTwin(tx, viewer, twinId);
    const [person] = await tx
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(eq(contacts.id, id), eq(contacts.twinId, twinId)));
    if (person === undefined) throw notFound("Собеседник не найден", "person_not_found");
    await forgetContact(tx, jobs, viewer, id);
  });
}

async function findSource(tx: Tx, viewer: Tenant, id: string): Promise<{ twinId: string }> {
  const [source] = await tx
    .select({ twinId: sources.twinId })
    .from(sources)
    .innerJoin(twins, eq(twins.id, sources.twinId))
    .where(and(eq(sources.id, id), eq(sources.orgId, viewer.organizationId), eq(twins.ownerId, viewer.userId)));
  if (source === undefined) throw sourceNotFound();
  return source;
}

/** That something was removed stays on record; what it was does not. */
function record(tx: Tx, { userId, organizationId }: Viewer, action: AuditAction, subject: string): Promise<void> {
  return auditInTenant(tx, { action, userId, organizationId, subject });
}
