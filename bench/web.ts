/**
 * What a browser downloads and how fast it shows: `npm run bench:web`. Sizes of first loads (gzip level 9, every script and
 * style sheet that the page asks for until it is idle) against the budgets, then Lighthouse for phone and desktop.
 * BENCH_RUNS (default 3) runs of each, the median counts; BENCH_LIGHTHOUSE=0 leaves Lighthouse out. At the end how soon an inbox of 100,000
 * conversations answers (bench/web/inbox.ts); BENCH_INBOX=0 leaves it out, BENCH_INBOX=only the rest. Named routes are
 * measured alone (`npm run bench:web -- /conversations`). Lighthouse is no dependency of the project: it is installed into
 * .cache/lighthouse the first time.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { type BrowserContext, chromium } from "@playwright/test";
import { freePort, startServer } from "../e2e/servers/server.ts";
import { asDemoUser } from "../e2e/support/session.ts";
import config from "../playwright.config.ts";
import { fillInbox, measureInbox } from "./web/inbox.ts";

const { budgetOf } = (await import(new URL("../scripts/first-loads.mjs", import.meta.url).href)) as {
  budgetOf: (path: string) => number;
};
const LIGHTHOUSE = "13.5.0";
const RUNS = Number(process.env.BENCH_RUNS ?? 3);
const root = join(import.meta.dirname, "..");
const say = (line = "") => process.stdout.write(`${line}\n`);

interface Route {
  at: string;
  signedIn: boolean;
  lighthouse?: boolean;
}

const ALL_ROUTES: Route[] = [
  { at: "/landing", signedIn: false, lighthouse: true },
  { at: "/login", signedIn: false, lighthouse: true },
  { at: "/register", signedIn: false },
  { at: "/dashboard", signedIn: true, lighthouse: true },
  { at: "/twins", signedIn: true, lighthouse: true },
  { at: "/create-twin", signedIn: true },
  { at: "/train-ai", signedIn: true, lighthouse: true },
  { at: "/knowledge", signedIn: true, lighthouse: true },
  { at: "/integrations", signedIn: true },
  { at: "/add-integration", signedIn: true },
  { at: "/crm", signedIn: true },
  { at: "/conversations", signedIn: true, lighthouse: true },
  { at: "/analytics", signedIn: true },
  { at: "/onboarding", signedIn: true },
  { at: "/admin", signedIn: true },
  { at: "/org-admin", signedIn: true },
];
const named = process.argv.slice(2);
const unknown = named.filter((path) => !ALL_ROUTES.some(({ at }) => at === path));
if (unknown.length > 0) throw new Error(`There is no such route: ${unknown.join(", ")}`);
const ROUTES = ALL_ROUTES.filter(({ at }) => named.length === 0 || named.includes(at));

if (!existsSync(join(root, "dist/web/index.html"))) throw new Error("There is no build: npm run build");
const dataFolder = await mkdtemp(join(tmpdir(), "twins-bench-web-"));
let server = await startServer(dataFolder, { REQUESTS_PER_MINUTE: "0" });
const debugging = await freePort();
const { launchOptions } = config.use ?? {};
// One profile for Playwright and Lighthouse: the session that the one makes is the other's.
const context = await chromium.launchPersistentContext(join(dataFolder, "profile"), {
  ...launchOptions,
  args: [...(launchOptions?.args ?? []), `--remote-debugging-port=${debugging}`],
  baseURL: server.url,
  locale: "ru-RU",
});
try {
  if (process.env.BENCH_INBOX !== "only") await firstLoads();
  if (process.env.BENCH_INBOX !== "0") await inbox();
} finally {
  await context.close();
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
}

async function inbox() {
  await ensureSignedIn(context);
  await server.stop();
  fillInbox(dataFolder);
  server = await startServer(dataFolder, { REQUESTS_PER_MINUTE: "0", PORT: new URL(server.url).port });
  await measureInbox(context, say);
}

async function firstLoads() {
  say("| first load | JS KB | budget | CSS KB | requests |");
  say("|---|---|---|---|---|");
  for (const route of ROUTES.filter((one) => !one.signedIn)) await weigh(context, route);
  await signIn(context);
  for (const route of ROUTES.filter((one) => one.signedIn)) await weigh(context, route);
  if (process.env.BENCH_LIGHTHOUSE !== "0") await audit(context);
}

async function signIn(context: BrowserContext) {
  const page = await context.newPage();
  await asDemoUser(page);
  await page.goto("/dashboard");
  await page.close();
}

async function weigh(context: BrowserContext, { at }: Route) {
  const budget = budgetOf(at);
  const page = await context.newPage();
  // The pointer that nobody moves lies on the logo, and a link under the pointer has its screen's code fetched ahead.
  await page.addInitScript(() => addEventListener("pointerover", (event) => event.stopImmediatePropagation(), true));
  await page.route("**/*", (route) => route.continue());
  const files = new Set<string>();
  let requests = 0;
  page.on("request", (request) => {
    requests++;
    const { pathname } = new URL(request.url());
    if (/\.(?:js|css)$/.test(pathname)) files.add(pathname);
  });
  await page.goto(at, { waitUntil: "networkidle" });
  const kb = (kind: string) =>
    [...files]
      .filter((file) => file.endsWith(kind))
      .reduce((sum, file) => sum + gzipSync(readFileSync(join(root, "dist/web", file)), { level: 9 }).length, 0) / 1024;
  const js = kb(".js");
  say(
    `| ${at} | ${js.toFixed(1)}${js > budget ? " **over**" : ""} | ${budget} | ${kb(".css").toFixed(1)} | ${requests} |`,
  );
  await page.close();
}

interface Audit {
  lhr: { categories: Record<string, { score: number | null }>; audits: Record<string, { numericValue?: number }> };
}
type Lighthouse = (url: string, flags: object, config?: object) => Promise<Audit>;

async function audit(context: BrowserContext) {
  const { lighthouse, desktop } = await loadLighthouse();
  say("\n| Lighthouse | performance | LCP s | TBT ms | CLS | accessibility | best practices | SEO |");
  say("|---|---|---|---|---|---|---|---|");
  for (const form of ["phone", "desktop"] as const) {
    for (const { at, signedIn } of ROUTES.filter((one) => one.lighthouse)) {
      if (!signedIn) await signOut(context);
      else await ensureSignedIn(context);
      const runs: Audit["lhr"][] = [];
      for (let run = 0; run < RUNS; run++) {
        const flags = { port: debugging, disableStorageReset: true, output: "json", logLevel: "error" };
        runs.push((await lighthouse(server.url + at, flags, form === "desktop" ? desktop : undefined)).lhr);
      }
      const score = (name: string) => median(runs.map((run) => Math.round((run.categories[name]?.score ?? 0) * 100)));
      const value = (name: string) => median(runs.map((run) => run.audits[name]?.numericValue ?? Number.NaN));
      say(
        `| ${at}, ${form} | ${score("performance")} | ${(value("largest-contentful-paint") / 1000).toFixed(2)} | ${value("total-blocking-time").toFixed(0)} | ${value("cumulative-layout-shift").toFixed(3)} | ${score("accessibility")} | ${score("best-practices")} | ${score("seo")} |`,
      );
    }
  }
}

async function ensureSignedIn(context: BrowserContext) {
  const page = await context.newPage();
  await page.goto("/login");
  const known = await page.evaluate(() => localStorage.getItem("auth_token") !== null);
  await page.close();
  if (!known) await signIn(context);
}

async function signOut(context: BrowserContext) {
  const page = await context.newPage();
  await page.goto("/login");
  await page.evaluate(() => localStorage.clear());
  await context.clearCookies();
  await page.close();
}

async function loadLighthouse(): Promise<{ lighthouse: Lighthouse; desktop: object }> {
  const folder = join(root, ".cache/lighthouse");
  const entry = join(folder, "node_modules/lighthouse/core/index.js");
  if (!existsSync(entry)) {
    execFileSync(
      "npm",
      ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", `lighthouse@${LIGHTHOUSE}`],
      {
        stdio: "ignore",
      },
    );
  }
  const loaded = (await import(pathToFileURL(entry).href)) as { default: Lighthouse; desktopConfig: object };
  return { lighthouse: loaded.default, desktop: loaded.desktopConfig };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
