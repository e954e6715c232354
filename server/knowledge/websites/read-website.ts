/**
 * The job that reads a site within limits (docs/decisions/019-imports.md), page by page, with pauses and by the rules of its robots.txt.
 */
import { setTimeout as pause } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { MAX_PAGE_BYTES, MAX_SITE_BYTES } from "#contract/knowledge/websites.ts";
import { documentReaders } from "#server/knowledge/documents/document-readers.ts";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { websites } from "#server/platform/db/schema/knowledge.ts";
import { Problem } from "#server/platform/errors.ts";
import { runWithCrashLimit } from "#server/platform/jobs/crash-limit.ts";
import type { JobHandlers } from "#server/platform/jobs/queue.ts";
import { PrivateAddress } from "#server/platform/network/public-address.ts";
import type { PageFacts } from "../documents/page-facts.ts";
import { type FetchedPage, fetchPage, TooLarge } from "./fetch-page.ts";
import { isSameSite, pageAddress } from "./page-address.ts";
import { EVERYTHING_ALLOWED, MAX_ROBOTS_BYTES, parseRobots, ROBOT, type Robots } from "./robots.ts";
import {
  addFoundPages,
  countBytes,
  findReading,
  finishReading,
  keepPage,
  keepUnchanged,
  moveSite,
  nextPage,
  type PageEnd,
  ReadingStopped,
  readHashOf,
  type Site,
  type SiteDeps,
  type SiteJob,
  type SitePage,
  siteRuns,
  skipPage,
} from "./website-rows.ts";

/** Pauses and time limits in milliseconds; tests set shorter ones. */
export const READING = { pauseMs: 1000, answerMs: 15_000, retryMs: 5000, wholeMs: 30 * 60_000 };

const MAX_SITEMAPS = 5;
const MAX_REDIRECTS = 5;
/** After this many consecutive failed pages, the site counts as unreachable. */
const FAILURES = 5;
const FEWEST_CHARS = 50;
const TYPES = { "text/html": true, "application/xhtml+xml": true, "text/plain": false } as const;

const AWAY = "Сайт не отвечает: проверьте адрес или попробуйте позже";
const NOT_ASKED = "Сайт закрыл это для роботов в robots.txt";

export interface WebsiteDeps extends SiteDeps {
  config: SiteDeps["config"] & { loopbackAddresses: boolean };
}

/** Ends the reading and keeps the pages read so far. */
class ReadingEnds extends Error {
  readonly state: "ready" | "failed";

  constructor(state: "ready" | "failed", reason: string) {
    super(reason);
    this.state = state;
  }
}

export const websiteJobs = (deps: WebsiteDeps): Pick<JobHandlers, "read-website"> => ({
  "read-website": (data, signal) =>
    runWithCrashLimit(deps.db, data, siteRuns(data), () => readWebsite(deps, data, signal)),
});

/** Called at server start and hourly: restarts readings whose job has used up its attempts. */
export async function resumeWebsites({ db, jobs }: Pick<WebsiteDeps, "db" | "jobs">): Promise<void> {
  const left = await asPlatform(db, (tx) => tx.select().from(websites).where(eq(websites.state, "reading")));
  for (const { id, orgId, confirmedBy } of left) {
    const job = { organizationId: orgId, userId: confirmedBy, websiteId: id };
    await asTenant(db, job, (tx) => jobs.enqueue(tx, "read-website", job));
  }
}

export async function readWebsite(deps: WebsiteDeps, job: SiteJob, signal: AbortSignal): Promise<void> {
  const site = await findReading(deps.db, job);
  if (site === undefined) return;
  try {
    await new SiteReading(deps, job, site, signal).readAll();
    await finishReading(deps, job, "ready", null);
  } catch (error) {
    if (error instanceof ReadingStopped) return;
    if (!(error instanceof ReadingEnds)) throw error;
    await finishReading(deps, job, error.state, error.message).catch((late: unknown) => {
      if (!(late instanceof ReadingStopped)) throw late;
    });
  }
}

class SiteReading {
  readonly #deps: WebsiteDeps;
  readonly #job: SiteJob;
  readonly #signal: AbortSignal;
  #start: URL;
  #robots: Robots = EVERYTHING_ALLOWED;
  /** Deadline of this run only; a run after a crash starts the time anew. */
  readonly #until = performance.now() + READING.wholeMs;
  #askedAt = 0;
  #failures = 0;

  constructor(deps: WebsiteDeps, job: SiteJob, site: Site, signal: AbortSignal) {
    this.#deps = deps;
    this.#job = job;
    this.#signal = signal;
    this.#start = new URL(site.url);
  }

  async readAll(): Promise<void> {
    await this.#readRobots();
    await this.#readSitemaps();
    for (;;) {
      this.#signal.throwIfAborted();
      if (performance.now() > this.#until) {
        throw new ReadingEnds("ready", "Сайт отвечает медленно: прочитано то, что успели за полчаса");
      }
      const page = await nextPage(this.#deps.db, this.#job);
      if (page === undefined) return;
      await this.#readPage(page);
    }
  }

  /** Sends at most one request a second and reads no more bytes than the site's limit. */
  async #fetch(
    url: URL,
    maxBytes: number,
    accepts: (head: Omit<FetchedPage, "body">) => boolean,
  ): Promise<FetchedPage> {
    const wait = this.#askedAt + READING.pauseMs - performance.now();
    if (wait > 0) await pause(wait, undefined, { signal: this.#signal });
    this.#askedAt = performance.now();
    const { loopbackAddresses: loopback } = this.#deps.config;
    const limits = { maxBytes, timeoutMs: READING.answerMs, loopback, signal: this.#signal };
    try {
      const page = await fetchPage(url, limits, accepts);
      await this.#count(page.body.length);
      return page;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof TooLarge) await this.#count(maxBytes);
      throw error;
    }
  }

  async #count(bytes: number): Promise<void> {
    if ((await countBytes(this.#deps.db, this.#job, bytes)) > MAX_SITE_BYTES) {
      throw new ReadingEnds("ready", "Сайт больше 50 МБ: прочитано то, что ближе к началу");
    }
  }

  /** RFC 9309, 2.3.1: a missing robots.txt forbids nothing, an unreachable one forbids everything. */
  async #readRobots(): Promise<void> {
    let url = new URL("/robots.txt", this.#start);
    for (let redirects = 0; ; redirects++) {
      let answer: FetchedPage;
      try {
        answer = await this.#fetch(url, MAX_ROBOTS_BYTES, ({ status }) => status >= 200 && status < 300);
      } catch (error) {
        this.#signal.throwIfAborted();
        if (error instanceof TooLarge) throw new ReadingEnds("failed", "robots.txt сайта слишком большой");
        throw endOf(error);
      }
      const { status, location, body } = answer;
      if (status >= 500 || status === 429) {
        throw new ReadingEnds("failed", "Сайт не отдаёт robots.txt: без него мы ничего не читаем. Попробуйте позже");
      }
      const next = status >= 300 && status < 400 && location !== null ? URL.parse(location, url.href) : null;
      if (next !== null && isSameSite(next.host, this.#start.host) && redirects < MAX_REDIRECTS) {
        next.protocol = this.#start.protocol;
        url = next;
        continue;
      }
      // RFC 9309 asks to follow this redirect. Another site is never requested, so the rules stay unknown.
      if (next !== null && !isSameSite(next.host, this.#start.host)) {
        throw new ReadingEnds("failed", "robots.txt ведёт на другой сайт: если ваш сайт переехал, укажите новый адрес");
      }
      const found = status >= 200 && status < 300;
      this.#robots = found ? parseRobots(body.toString("utf8")) : EVERYTHING_ALLOWED;
      return;
    }
  }

  /** Reads the site's own lists of its pages; none is required. */
  async #readSitemaps(): Promise<void> {
    const waiting = this.#robots.sitemaps.length > 0 ? [...this.#robots.sitemaps] : ["/sitemap.xml"];
    for (let read = 0; read < MAX_SITEMAPS && waiting.length > 0; read++) {
      const url = URL.parse(waiting.shift()!, this.#start.href);
      if (url === null || url.host !== this.#start.host || !this.#allows(url)) continue;
      url.protocol = this.#start.protocol;
      try {
        const { status, body } = await this.#fetch(url, MAX_PAGE_BYTES, (head) => head.status === 200);
        if (status !== 200 || body.length === 0) continue;
        const { links, isIndex } = await this.#parsed(() =>
          documentReaders.readSitemap(this.#job.organizationId, body),
        );
        if (isIndex) waiting.push(...links.slice(0, MAX_SITEMAPS));
        else await addFoundPages(this.#deps.db, this.#job, this.#pagesOf(links, this.#start), 1);
      } catch (error) {
        if (error instanceof ReadingEnds || error instanceof ReadingStopped) throw error;
        this.#signal.throwIfAborted();
        // A missing or damaged sitemap is ignored, because links lead to the pages too.
        if (!isExpected(error)) throw error;
      }
    }
  }

  async #readPage(page: SitePage): Promise<void> {
    const url = new URL(page.url);
    const isStart = page.depth === 0;
    if (!this.#allows(url)) {
      if (isStart) throw new ReadingEnds("failed", `${NOT_ASKED}. Разрешите чтение страницы или начните с другой`);
      return this.#leave(page, { state: "left", reason: NOT_ASKED });
    }
    let answer: FetchedPage;
    try {
      answer = await this.#fetch(url, MAX_PAGE_BYTES, ({ status, type }) => status === 200 && type in TYPES);
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof TooLarge) return this.#leave(page, { state: "left", reason: "Страница больше 2 МБ" });
      if (!isExpected(error)) throw error;
      if (isStart) throw endOf(error);
      return this.#failed(page, error instanceof PrivateAddress ? INSIDE : "Страница не ответила");
    }
    const { status, type, location, robots, body } = answer;
    if (status >= 300 && status < 400 && location !== null) return this.#redirected(page, url, location);
    if (status === 429 || status >= 500) {
      if (isStart) throw new ReadingEnds("failed", AWAY);
      return this.#failed(page, `Сайт ответил ошибкой ${status}`);
    }
    this.#failures = 0;
    if (status !== 200) {
      const reason = status === 404 || status === 410 ? "Такой страницы нет" : `Сайт не показал её: ответ ${status}`;
      if (isStart) throw new ReadingEnds("failed", `${reason}. Проверьте адрес`);
      return this.#leave(page, { state: "left", reason });
    }
    if (!(type in TYPES)) return this.#leave(page, { state: "left", reason: "Это не текст" });
    await this.#take(page, url, body, { html: TYPES[type as keyof typeof TYPES], robots });
  }

  async #take(page: SitePage, url: URL, body: Buffer, { html, robots }: { html: boolean; robots: string }) {
    const { organizationId } = this.#job;
    let facts: PageFacts;
    try {
      facts = await this.#parsed(() => documentReaders.readPage(organizationId, body, html, ROBOT));
    } catch (error) {
      // Busy readers are not the page's fault, so the queue retries.
      if (!(error instanceof Problem) || isBusy(error)) throw error;
      return this.#leave(page, { state: "left", reason: error.message });
    }
    const rules = `${robots},${facts.robots}`.toLowerCase().split(/[\s,:]+/);
    const has = (...names: string[]) => rules.some((rule) => names.includes(rule));
    const base = URL.parse(facts.base ?? "", url.href) ?? url;
    const links = has("nofollow", "none") ? [] : this.#pagesOf(facts.links, base);
    if (has("noindex", "none")) {
      return this.#leave(page, { state: "left", reason: "Владелец сайта просит её не брать (noindex)", links });
    }
    const text = facts.text.trim();
    if (text.length < FEWEST_CHARS) return this.#leave(page, { state: "left", reason: "Почти нет текста", links });
    const name = facts.title?.trim() || decodedPath(url);
    if (page.readHash === readHashOf({ name, text })) {
      return keepUnchanged(this.#deps.db, this.#job, page, links);
    }
    const chunks = await this.#parsed(() => documentReaders.split(organizationId, text, this.#signal));
    try {
      const mime = html ? "text/html" : "text/plain";
      await keepPage(this.#deps, this.#job, page, { name, text, mime, chunks, links });
    } catch (error) {
      if (error instanceof Problem) throw new ReadingEnds("failed", error.message);
      throw error;
    }
  }

  async #redirected(page: SitePage, from: URL, location: string): Promise<void> {
    const to = URL.parse(location, from.href);
    const web = to !== null && /^https?:$/.test(to.protocol);
    if (web) to.protocol = from.protocol;
    const moved = web && to.origin !== from.origin && isSameSite(to.host, from.host);
    if (page.depth === 0 && moved) {
      const start = pageAddress(to.href, to, to.host);
      // Each redirect counts as a failure, because two addresses may redirect to each other endlessly.
      if (start === null || ++this.#failures > MAX_REDIRECTS) throw new ReadingEnds("failed", AWAY);
      this.#start = start;
      await moveSite(this.#deps.db, this.#job, page, start.href);
      await this.#readRobots();
      return this.#readSitemaps();
    }
    const target = to === null ? null : pageAddress(to.href, this.#start, this.#start.host);
    if (page.depth === 0 && target === null) {
      throw new ReadingEnds("failed", "Адрес ведёт на другой сайт: укажите его самого");
    }
    // A redirect to itself, or to plain HTTP, which is never requested.
    if (page.depth === 0 && target?.href === page.url) {
      throw new ReadingEnds("failed", "Сайт не показывает страницу по https и ведёт по кругу: проверьте адрес");
    }
    if (target === null) return this.#leave(page, { state: "left", reason: "Ведёт на другой сайт" });
    // The target gets the page's own depth, as if the link had named it.
    if (this.#allows(target)) await addFoundPages(this.#deps.db, this.#job, [target.href], page.depth);
    return this.#leave(page, { state: "left", reason: "Ведёт на другую страницу сайта" });
  }

  #allows = (url: URL): boolean => this.#robots.allows(`${url.pathname}${url.search}`);

  #pagesOf(links: readonly string[], base: URL): string[] {
    const found = links.map((link) => {
      const url = URL.parse(link, base.href);
      return url === null ? null : pageAddress(url.href, this.#start, this.#start.host);
    });
    return found.flatMap((url) => (url !== null && this.#allows(url) ? [url.href] : []));
  }

  #leave = (page: SitePage, end: PageEnd): Promise<void> => skipPage(this.#deps.db, this.#job, page, end);

  async #failed(page: SitePage, reason: string): Promise<void> {
    await this.#leave(page, { state: "failed", reason });
    if (++this.#failures >= FAILURES) {
      throw new ReadingEnds("failed", "Сайт перестал отвечать. Прочитанное осталось: попробуйте обновить позже");
    }
  }

  /** Readers are shared, so a busy one is awaited. */
  async #parsed<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || tries >= 10) throw error;
        await pause(READING.retryMs, undefined, { signal: this.#signal });
      }
    }
  }
}

const isBusy = (error: unknown) => error instanceof Problem && (error.status === 429 || error.status === 503);

const INSIDE = "Адрес ведёт во внутреннюю сеть: такие страницы мы не читаем";

/** Whether the error comes from the remote server and not from a bug here. */
function isExpected(error: unknown): boolean {
  if (error instanceof Problem || error instanceof PrivateAddress || error instanceof TooLarge) return true;
  const { code, name, message } = error as { code?: unknown; name?: string; message?: string };
  return (
    name === "TimeoutError" ||
    name === "AbortError" ||
    (typeof code === "string" &&
      /^(?:E[A-Z_]+|HPE_|Z_|ERR_(?:TLS|SSL|STREAM|HTTP)|CERT_|UNABLE_|DEPTH_|SELF_)/.test(code)) ||
    /^The (?:content coding|answer was cut)/.test(message ?? "")
  );
}

function endOf(error: unknown): Error {
  if (error instanceof ReadingEnds || error instanceof ReadingStopped || !isExpected(error)) return error as Error;
  if (error instanceof PrivateAddress) return new ReadingEnds("failed", INSIDE);
  const { code } = error as { code?: string };
  return new ReadingEnds("failed", code === "ENOTFOUND" ? "Такого сайта нет: проверьте адрес" : AWAY);
}

function decodedPath(url: URL): string {
  try {
    return decodeURI(`${url.host}${url.pathname}`).slice(0, 300).toWellFormed();
  } catch {
    return `${url.host}${url.pathname}`.slice(0, 300);
  }
}
