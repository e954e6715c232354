/** Stores the progress of reading a site. Each step is a transaction, so that a killed job continues where its rows end. */
import { createHash } from "node:crypto";
import { and, asc, count, eq, ne, sql } from "drizzle-orm";
import { MAX_SITE_DEPTH, MAX_SITE_PAGES } from "#contract/knowledge/websites.ts";
import { claimStorage, type StorageDeps } from "#server/accounts/organizations/storage.ts";
import { forgetAnswersAbout } from "#server/accounts/twins/idempotent-answers.ts";
import { incrementKnowledgeVersion, requestTraining } from "#server/accounts/twins/training.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chunks, documents, websitePages, websites } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { CrashCounter } from "#server/platform/jobs/crash-limit.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Chunk } from "../documents/split-chunks.ts";
import { storeChunks } from "../documents/store-chunks.ts";

export type Site = typeof websites.$inferSelect;
export type SitePage = typeof websitePages.$inferSelect;

export interface SiteJob extends Tenant {
  websiteId: string;
}

export interface SiteDeps extends StorageDeps {
  db: Database;
  jobs: Jobs;
}

/** The owner has stopped the reading or removed the site. */
export class ReadingStopped extends Error {}

const GIVEN_UP = "Чтение трижды обрывалось, и мы его остановили. Прочитанное осталось: попробуйте обновить позже.";

export const siteRuns = ({ websiteId }: SiteJob): CrashCounter => ({
  key: `website ${websiteId}`,
  async add(tx, change) {
    const [row] = await tx
      .update(websites)
      .set({ cutOff: sql`greatest(0, ${websites.cutOff} + ${change})` })
      .where(eq(websites.id, websiteId))
      .returning({ runs: websites.cutOff });
    return row?.runs ?? null;
  },
  async giveUp(tx) {
    await endReading(tx, websiteId, "failed", GIVEN_UP);
  },
});

/** Returns undefined when the site must not be read any more. */
export async function findReading(db: Database, job: SiteJob): Promise<Site | undefined> {
  const [site] = await asTenant(db, job, (tx) =>
    tx
      .select()
      .from(websites)
      .where(and(eq(websites.id, job.websiteId), eq(websites.state, "reading"))),
  );
  return site;
}

/** Returns the next page to request: nearest to the start first, and of these the ones without a query. */
export async function nextPage(db: Database, job: SiteJob): Promise<SitePage | undefined> {
  return asTenant(db, job, async (tx) => {
    await lockReading(tx, job);
    const [page] = await tx
      .select()
      .from(websitePages)
      .where(and(eq(websitePages.websiteId, job.websiteId), eq(websitePages.state, "waiting")))
      .orderBy(asc(websitePages.depth), sql`position('?' in ${websitePages.url}) > 0`, asc(websitePages.id))
      .limit(1);
    return page;
  });
}

/** Locks the twin first, like all transactions that change its knowledge. @throws ReadingStopped */
async function lockReading(tx: Tx, { websiteId }: SiteJob): Promise<Site> {
  const [place] = await tx.select({ twinId: websites.twinId }).from(websites).where(eq(websites.id, websiteId));
  if (place === undefined) throw new ReadingStopped();
  await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, place.twinId)).for("no key update");
  const [site] = await tx.select().from(websites).where(eq(websites.id, websiteId)).for("update");
  if (site?.state !== "reading") throw new ReadingStopped();
  return site;
}

/** @returns all bytes received in this reading */
export async function countBytes(db: Database, job: SiteJob, bytes: number): Promise<number> {
  const [row] = await asTenant(db, job, (tx) =>
    tx
      .update(websites)
      .set({ bytes: sql`${websites.bytes} + ${bytes}`, cutOff: 0 })
      .where(eq(websites.id, job.websiteId))
      .returning({ bytes: websites.bytes }),
  );
  return row?.bytes ?? 0;
}

async function addPages(tx: Tx, { orgId, id }: Site, urls: readonly string[], depth: number): Promise<void> {
  if (urls.length === 0 || depth > MAX_SITE_DEPTH) return;
  const [known] = await tx.select({ pages: count() }).from(websitePages).where(eq(websitePages.websiteId, id));
  let room = MAX_SITE_PAGES - (known?.pages ?? 0);
  for (const url of new Set(urls)) {
    if (room <= 0) return;
    const added = await tx
      .insert(websitePages)
      .values({ orgId, websiteId: id, url, depth })
      .onConflictDoNothing()
      .returning({ id: websitePages.id });
    room -= added.length;
  }
}

export const addFoundPages = (db: Database, job: SiteJob, urls: readonly string[], depth: number): Promise<void> =>
  asTenant(db, job, async (tx) => addPages(tx, await lockReading(tx, job), urls, depth));

/** The site answers at another address of its own (https, without «www.»); its pages are read there. */
export function moveSite(db: Database, job: SiteJob, from: SitePage, url: string): Promise<void> {
  return asTenant(db, job, async (tx) => {
    const site = await lockReading(tx, job);
    await tx.update(websites).set({ url }).where(eq(websites.id, site.id));
    await tx.delete(websitePages).where(eq(websitePages.id, from.id));
    if (from.documentId !== null) await dropDocument(tx, site, from.documentId);
    await addPages(tx, site, [url], 0);
  });
}

export interface PageEnd {
  state: "left" | "failed";
  reason: string;
  links?: readonly string[];
}

/** Marks the page as no document. Its earlier document is deleted, unless the page is only temporarily unreadable. */
export function skipPage(db: Database, job: SiteJob, page: SitePage, { state, reason, links = [] }: PageEnd) {
  return asTenant(db, job, async (tx) => {
    const site = await lockReading(tx, job);
    await addPages(tx, site, links, page.depth + 1);
    const gone = state === "left" && page.documentId !== null;
    await tx
      .update(websitePages)
      .set({ state, reason, readAt: new Date(), ...(gone ? GONE : {}) })
      .where(eq(websitePages.id, page.id));
    if (gone) await dropDocument(tx, site, page.documentId!);
  });
}

const GONE = { documentId: null, readHash: null, change: "gone" } as const;

async function dropDocument(tx: Tx, { twinId }: Site, documentId: string): Promise<void> {
  await forgetAnswersAbout(tx, [documentId]);
  await tx.delete(documents).where(eq(documents.id, documentId));
  await incrementKnowledgeVersion(tx, twinId);
}

interface ReadPage {
  name: string;
  text: string;
  mime: string;
  chunks: readonly Chunk[];
  links: readonly string[];
}

export const readHashOf = ({ name, text }: Pick<ReadPage, "name" | "text">): string =>
  createHash("sha256").update(`${name}\n${text}`).digest("hex");

/** Creates or replaces the page's document. @throws Problem 413, 507 */
export function keepPage({ db, ...deps }: SiteDeps, job: SiteJob, page: SitePage, read: ReadPage): Promise<void> {
  return asTenant(db, job, async (tx) => {
    const site = await lockReading(tx, job);
    await addPages(tx, site, read.links, page.depth + 1);
    const settle = (values: Partial<SitePage>) =>
      tx
        .update(websitePages)
        .set({ reason: null, readHash: readHashOf(read), readAt: new Date(), ...values })
        .where(eq(websitePages.id, page.id));
    const contentHash = createHash("sha256").update(read.text).digest("hex");
    const [twinOf] = await tx
      .select({ name: documents.name })
      .from(documents)
      .where(
        and(
          eq(documents.twinId, site.twinId),
          eq(documents.contentHash, contentHash),
          page.documentId === null ? undefined : ne(documents.id, page.documentId),
        ),
      );
    if (twinOf !== undefined) {
      if (page.documentId !== null) await dropDocument(tx, site, page.documentId);
      const reason = sameText(twinOf.name);
      await settle({ state: "left", reason, ...(page.documentId === null ? { readHash: null } : GONE) });
      return;
    }
    await claimStorage(tx, deps, job, Buffer.byteLength(read.text));
    const text = { name: read.name, content: read.text, contentHash, mime: read.mime, splitAt: new Date() };
    const place = { orgId: site.orgId, twinId: site.twinId, type: site.documentType };
    const [row] =
      page.documentId === null
        ? await tx
            .insert(documents)
            .values({ ...place, ...text })
            .returning({ id: documents.id })
        : await tx.update(documents).set(text).where(eq(documents.id, page.documentId)).returning({ id: documents.id });
    await tx.delete(chunks).where(eq(chunks.documentId, row!.id));
    await storeChunks(tx, { ...job, twinId: site.twinId, documentId: row!.id }, read.chunks);
    await incrementKnowledgeVersion(tx, site.twinId);
    await settle({ state: "document", documentId: row!.id, change: page.documentId === null ? "added" : "changed" });
  });
}

const sameText = (name: string) => `Такой же текст уже есть в документе «${name}»`;

/** The page has not changed: its document stays as edited by the owner, and stays deleted if he has deleted it. */
export function keepUnchanged(db: Database, job: SiteJob, page: SitePage, links: readonly string[]): Promise<void> {
  return asTenant(db, job, async (tx) => {
    await addPages(tx, await lockReading(tx, job), links, page.depth + 1);
    const kept = page.documentId !== null;
    await tx
      .update(websitePages)
      .set({
        state: kept ? "document" : "left",
        reason: kept ? null : "Вы удалили этот документ",
        readAt: new Date(),
      })
      .where(eq(websitePages.id, page.id));
  });
}

/** Requests a training if the pages have brought something new. */
export function finishReading(
  { db, jobs }: Pick<SiteDeps, "db" | "jobs">,
  job: SiteJob,
  state: "ready" | "failed",
  reason: string | null,
): Promise<void> {
  return asTenant(db, job, async (tx) => {
    const { id, twinId } = await lockReading(tx, job);
    const [known] = await tx.select({ pages: count() }).from(websitePages).where(eq(websitePages.websiteId, id));
    const full = `Больше ${MAX_SITE_PAGES} страниц с одного сайта не читаем: взяты те, что ближе к началу`;
    await endReading(tx, id, state, reason ?? ((known?.pages ?? 0) >= MAX_SITE_PAGES ? full : null));
    await requestTraining(tx, jobs, job, twinId);
  });
}

export async function endReading(
  tx: Tx,
  websiteId: string,
  state: Exclude<Site["state"], "reading">,
  reason: string | null,
): Promise<void> {
  await tx
    .update(websites)
    .set({ state, reason, finishedAt: new Date(), cutOff: 0 })
    .where(and(eq(websites.id, websiteId), eq(websites.state, "reading")));
}
