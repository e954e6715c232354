/** Figures and sources of the history. Only the twin's owner may see them: colleagues see neither messages nor their counts. */
import { and, desc, eq, sql } from "drizzle-orm";
import type { KnowledgeSource, KnowledgeStats, Reimport } from "#contract/knowledge/knowledge-base.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, notFound, unavailable } from "#server/platform/errors.ts";
import { lastReading, reimportState } from "./last-reading.ts";

const owned = ({ organizationId, userId }: Tenant) => and(eq(sources.orgId, organizationId), eq(twins.ownerId, userId));

/** Sums the sources' counters, so it stays cheap however long the history is. */
export async function knowledgeStats(db: Database, caller: Tenant): Promise<KnowledgeStats> {
  const of = (platform: string) =>
    sql<number>`coalesce(sum(${sources.messageCount}) filter (where ${sources.platform} = ${platform}), 0)`.mapWith(
      Number,
    );
  const [row] = await asTenant(db, caller, (tx) =>
    tx
      .select({
        totalMessages: sql<number>`coalesce(sum(${sources.messageCount}), 0)`.mapWith(Number),
        telegramMessages: of("telegram"),
        emailMessages: of("email"),
        whatsappMessages: of("whatsapp"),
        lastUpdate: sql<Date | null>`max(${sources.lastImportAt})`.mapWith(sources.lastImportAt),
      })
      .from(sources)
      .innerJoin(twins, eq(twins.id, sources.twinId))
      .where(owned(caller)),
  );
  return { ...row!, lastUpdate: row!.lastUpdate?.toISOString() ?? null };
}

export async function listSources(db: Database, caller: Tenant): Promise<KnowledgeSource[]> {
  const rows = await asTenant(db, caller, (tx) => {
    const last = lastReading(tx);
    return tx
      .select({
        id: sources.id,
        name: sources.name,
        platform: sources.platform,
        kind: sources.kind,
        status: sources.status,
        digitalTwinId: twins.id,
        digitalTwinName: twins.name,
        messagesCount: sources.messageCount,
        lastImport: sources.lastImportAt,
        integration: integrations.status,
        last: { status: last.status, error: last.error },
      })
      .from(sources)
      .innerJoin(twins, eq(twins.id, sources.twinId))
      .leftJoin(integrations, eq(integrations.sourceId, sources.id))
      .leftJoinLateral(last, sql`true`)
      .where(owned(caller))
      .orderBy(sql`${sources.lastImportAt} desc nulls last`, desc(sources.createdAt), desc(sources.id));
  });
  return rows.map(({ integration, last, ...row }) => ({
    ...row,
    lastImport: row.lastImport?.toISOString() ?? null,
    reimport: reimportState(obstacleOf(row, integration), last),
  }));
}

type SourceRow = Pick<typeof sources.$inferSelect, "kind" | "status">;

function obstacleOf({ kind, status }: SourceRow, integration: string | null): string | null {
  if (status !== "active") return "Источник неактивен";
  // An account and its export files are one source; the connected account is read.
  if (integration === "active") return null;
  if (integration === "inactive") return "Интеграция приостановлена: сначала включите её";
  if (integration === "error") return "Сначала исправьте подключение на странице «Интеграции»";
  if (kind === "export") return "Файл сам не меняется: загрузите новую выгрузку";
  if (kind === "paste") return "Вставленная переписка сама не меняется: дополните её";
  return "Аккаунт отключён: подключите его снова";
}

/**
 * Imports a source again.
 * @throws Problem 404; 409 for an inactive source and for a file, which never changes; 503 for a connected account
 */
export async function reimportSource(db: Database, caller: Tenant, id: string): Promise<Reimport> {
  const [source] = await asTenant(db, caller, (tx) =>
    tx
      .select({ kind: sources.kind, status: sources.status })
      .from(sources)
      .innerJoin(twins, eq(twins.id, sources.twinId))
      .where(and(eq(sources.id, id), owned(caller))),
  );
  if (source === undefined) throw notFound("Источник данных не найден", "source_not_found");
  if (source.status !== "active") throw conflict("source_inactive", "Источник неактивен: переимпорт недоступен");
  if (source.kind === "export") {
    throw conflict(
      "source_is_file",
      "Этот источник — файл выгрузки. Чтобы обновить его, загрузите более новую выгрузку: добавится только то, чего ещё нет.",
    );
  }
  if (source.kind === "paste") {
    throw conflict(
      "source_is_paste",
      "Эта переписка вставлена вручную. Чтобы обновить её, вставьте продолжение: добавится только то, чего ещё нет.",
    );
  }
  throw unavailable("reimport_unavailable", "Переимпорт подключённых аккаунтов пока недоступен");
}
