/** Adds, rereads, stops and removes sites; read-website.ts reads them. */
import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { MAX_WEBSITES, type Website, type WebsiteInput, type WebsitePage } from "#contract/knowledge/websites.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { forgetAnswersAbout } from "#server/accounts/twins/idempotent-answers.ts";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { recordActivity } from "#server/accounts/twins/usage.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { documents, websitePages, websites } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict, invalid, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { pageAddress, siteAddress } from "./page-address.ts";
import type { WebsiteDeps } from "./read-website.ts";
import { endReading } from "./website-rows.ts";

const websiteNotFound = () => notFound("Сайт не найден", "website_not_found");

const pagesWhere = (condition: ReturnType<typeof sql>) =>
  sql<number>`(select count(*) from ${websitePages} p where p.website_id = ${websites.id} and ${condition})`.mapWith(
    Number,
  );

const shown = {
  id: websites.id,
  digitalTwinId: twins.id,
  digitalTwinName: twins.name,
  url: websites.url,
  type: websites.documentType,
  state: websites.state,
  reason: websites.reason,
  found: pagesWhere(sql`true`),
  read: pagesWhere(sql`p.state <> 'waiting'`),
  documents: pagesWhere(sql`p.document_id is not null`),
  added: pagesWhere(sql`p.change = 'added'`),
  changed: pagesWhere(sql`p.change = 'changed'`),
  gone: pagesWhere(sql`p.change = 'gone'`),
  startedAt: websites.startedAt,
  finishedAt: websites.finishedAt,
};

export async function listWebsites(db: Database, caller: Tenant): Promise<Website[]> {
  const rows = await asTenant(db, caller, (tx) => select(tx, caller).orderBy(desc(websites.createdAt), websites.id));
  return rows.map(toWebsite);
}

const select = (tx: Tx, { organizationId }: Tenant, id?: string) =>
  tx
    .select(shown)
    .from(websites)
    .innerJoin(twins, eq(twins.id, websites.twinId))
    .where(and(eq(websites.orgId, organizationId), id === undefined ? undefined : eq(websites.id, id)))
    .$dynamic();

type Row = Awaited<ReturnType<typeof select>>[number];

const toWebsite = ({
  found,
  read,
  documents: kept,
  added,
  changed,
  gone,
  startedAt,
  finishedAt,
  ...row
}: Row): Website => ({
  ...row,
  pages: { found, read, documents: kept, added, changed, gone },
  startedAt: startedAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
});

/** Sorted in reading order. @throws Problem 404 */
export function websitePagesOf(db: Database, caller: Tenant, id: string): Promise<WebsitePage[]> {
  return asTenant(db, caller, async (tx) => {
    const [site] = await select(tx, caller, id);
    if (site === undefined) throw websiteNotFound();
    const rows = await tx
      .select()
      .from(websitePages)
      .where(eq(websitePages.websiteId, id))
      .orderBy(asc(websitePages.depth), asc(websitePages.id));
    return rows.map(({ url, state, reason, documentId, change, readAt }) => ({
      ...{ url, state, reason, documentId, change },
      readAt: readAt?.toISOString() ?? null,
    }));
  });
}

/**
 * Stores the site and enqueues its reading. The caller's declaration that it is his own site is kept with name and time
 * (docs/decisions/019-imports.md).
 * @throws Problem 400 for a non-public address, 404 (twin), 403, 409 for a site that the twin already has or one too many
 */
export function addWebsite(deps: WebsiteDeps, caller: Caller, input: WebsiteInput): Promise<Website> {
  const start = siteAddress(input.url, deps.config.loopbackAddresses);
  const page = start === null ? null : pageAddress(start.href, start, start.host);
  if (page === null) {
    const said = "Введите адрес сайта, например example.ru: адреса внутренней сети не подходят";
    throw invalid("invalid_input", said, { fields: { url: said } });
  }
  return asTenant(deps.db, caller, async (tx) => {
    const twin = await getChangeableTwin(tx, caller, input.digitalTwinId);
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${caller.organizationId}, 95))`);
    const own = await select(tx, caller);
    if (own.length >= MAX_WEBSITES) {
      throw conflict("too_many_websites", `Не больше ${MAX_WEBSITES} сайтов: удалите ненужный`);
    }
    const [row] = await tx
      .insert(websites)
      .values({
        orgId: caller.organizationId,
        twinId: twin.id,
        url: page.href,
        site: page.host.replace(/^www\./, ""),
        documentType: input.type,
        confirmedBy: caller.userId,
      })
      .onConflictDoNothing()
      .returning({ id: websites.id });
    if (row === undefined) throw conflict("website_exists", "Этот сайт у двойника уже есть: обновите его");
    const { orgId } = twin;
    await tx.insert(websitePages).values({ orgId, websiteId: row.id, url: page.href, depth: 0 });
    await audit(tx, caller, "website-added", row.id, { twinId: twin.id, site: page.host });
    await recordActivity(tx, caller, twin, "website_added", `Добавлен сайт «${page.host}»`);
    await enqueue(deps, tx, caller, row.id);
    return one(tx, caller, row.id);
  });
}

/**
 * Reads the site again, known pages first. The caller declares again that it is his own, because it is read for him.
 * @throws Problem 404, 403, 409 while it is read
 */
export function readAgain(deps: WebsiteDeps, caller: Caller, id: string): Promise<Website> {
  return asTenant(deps.db, caller, async (tx) => {
    const site = await claimWebsite(tx, caller, id);
    if (site.state === "reading") throw conflict("website_reading", "Сайт уже читается");
    await tx
      .update(websites)
      .set({
        state: "reading",
        reason: null,
        reading: sql`${websites.reading} + 1`,
        bytes: 0,
        cutOff: 0,
        confirmedBy: caller.userId,
        confirmedAt: new Date(),
        startedAt: new Date(),
        finishedAt: null,
      })
      .where(eq(websites.id, id));
    // Pages that never became documents make room for new ones.
    const never = and(isNull(websitePages.documentId), isNull(websitePages.readHash));
    await tx.delete(websitePages).where(and(eq(websitePages.websiteId, id), ne(websitePages.url, site.url), never));
    await tx
      .insert(websitePages)
      .values({ orgId: site.orgId, websiteId: id, url: site.url, depth: 0 })
      .onConflictDoNothing();
    await tx
      .update(websitePages)
      .set({ state: "waiting", reason: null, change: null })
      .where(eq(websitePages.websiteId, id));
    await enqueue(deps, tx, caller, id);
    return one(tx, caller, id);
  });
}

/** Keeps what was read; the job then finds nothing left to do. After the job's end nothing changes. @throws Problem 404, 403 */
export function cancelReading(deps: WebsiteDeps, caller: Caller, id: string): Promise<Website> {
  return asTenant(deps.db, caller, async (tx) => {
    const site = await claimWebsite(tx, caller, id);
    if (site.state === "reading") {
      await endReading(tx, id, "cancelled", "Чтение остановлено. Прочитанное осталось");
      await requestTraining(tx, deps.jobs, caller, site.twinId);
    }
    return one(tx, caller, id);
  });
}

/** Removes the site with the documents of its pages. @throws Problem 404, 403 */
export function removeWebsite(deps: WebsiteDeps, caller: Caller, id: string): Promise<void> {
  return asTenant(deps.db, caller, async (tx) => {
    const site = await claimWebsite(tx, caller, id);
    const pages = await tx
      .select({ documentId: websitePages.documentId })
      .from(websitePages)
      .where(and(eq(websitePages.websiteId, id), isNotNull(websitePages.documentId)));
    const ids = pages.map(({ documentId }) => documentId!);
    await forgetAnswersAbout(tx, [id, ...ids]);
    if (ids.length > 0) await tx.delete(documents).where(inArray(documents.id, ids));
    await tx.delete(websites).where(eq(websites.id, id));
    await audit(tx, caller, "website-deleted", id, { twinId: site.twinId, documents: String(ids.length) });
    await incrementKnowledgeVersion(tx, site.twinId);
    await requestTraining(tx, deps.jobs, caller, site.twinId);
  });
}

/** Locks the twin and the site's row. @throws Problem 404, 403 */
async function claimWebsite(tx: Tx, caller: Caller, id: string): Promise<typeof websites.$inferSelect> {
  const own = and(eq(websites.id, id), eq(websites.orgId, caller.organizationId));
  const [found] = await tx.select({ twinId: websites.twinId }).from(websites).where(own);
  if (found === undefined) throw websiteNotFound();
  await getChangeableTwin(tx, caller, found.twinId);
  const [site] = await tx.select().from(websites).where(own).for("update");
  if (site === undefined) throw websiteNotFound();
  return site;
}

async function one(tx: Tx, caller: Tenant, id: string): Promise<Website> {
  const [row] = await select(tx, caller, id);
  return toWebsite(row!);
}

async function enqueue({ jobs }: WebsiteDeps, tx: Tx, { userId, organizationId }: Caller, websiteId: string) {
  await jobs.enqueue(tx, "read-website", { userId, organizationId, websiteId });
}

function audit(
  tx: Tx,
  { userId, organizationId }: Caller,
  action: "website-added" | "website-deleted",
  subject: string,
  detail: Record<string, string>,
) {
  return auditInTenant(tx, { action, userId, organizationId, subject, detail });
}
