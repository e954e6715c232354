import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { auditFaults } from "./audit.mjs";
import { buildWeb } from "./build-web.mjs";
import { ensureChromium } from "./chromium.mjs";
import { ensureDovecot } from "./dovecot.mjs";
import { firstLoads, styleLoad } from "./first-loads.mjs";
import { licenceFaults, licencesOf } from "./licences.mjs";
import { digestFaults } from "./lock-digests.mjs";
import { withPostgres } from "./postgres.mjs";
import { machineEnvironment, npm, root, run, say, toolEnvironment } from "./runtime.mjs";
import { readSbom } from "./sbom.mjs";
import { addCounts, countOne, countPlaywright, countVitest, slowestFiles } from "./test-report.mjs";

/** @typedef {import("./test-report.mjs").Count} Count */
/**
 * @typedef {object} Step
 * @property {string} name what `--only` takes
 * @property {string} title
 * @property {(node: string, full: boolean) => Promise<Count>} run takes the path of Node 24, and whether everything is run
 * @property {boolean} [beside] the steps after it do not wait for it, except those that name it
 * @property {string} [after] the step that must have ended first, where it is run at all
 * @property {boolean} [full] it belongs to `npm run test:full` alone
 */

/** Fewer than vitest.config.ts has for a machine of its own. */
const besideBrowsers = 2;
const reports = join(root, ".cache", "test-reports");

/**
 * Everything `npm test` does, in the order in which it begins. What reads the sources alone goes beside the tests and says what it has
 * found at its end. The tests on PostgreSQL and in the browser wait, both, for timers and other processes; beside each other they fill
 * that time, and the soak waits beside them most of its minute.
 * @type {Step[]}
 */
export const steps = [
  {
    name: "format",
    title: "Оформление и линтер",
    beside: true,
    run: (node) => runTool(node, "biome", ["check", "."], "Biome"),
  },
  {
    name: "types",
    title: "Типы",
    beside: true,
    run: (node) => runTool(node, "tsc", ["--build", "--singleThreaded"], "tsc"),
  },
  {
    name: "lock",
    title: "Файл блокировки, состав (SBOM), лицензии и известные уязвимости",
    beside: true,
    run: checkLock,
  },
  { name: "build", title: "Сборка интерфейса", run: checkBuild, beside: true },
  { name: "unit", title: "Модули и HTTP, PGlite", run: (node, full) => runVitest(node, "pglite", { full }) },
  { name: "soak", title: "Минута смешанной нагрузки, PGlite", run: soakForAMinute, beside: true, full: true },
  { name: "postgres", title: "Сервер, PostgreSQL", run: runOnPostgres, beside: true },
  { name: "browser", title: "Браузер", run: runBrowser, after: "build" },
];

/**
 * @param {string} node
 * @param {string} tool
 * @param {string[]} args
 * @param {string} title
 */
async function runTool(node, tool, args, title) {
  const { code, output } = await run(node, [toolPath(tool), ...args], {
    env: toolEnvironment(),
    group: true,
    quiet: true,
  });
  if (code !== 0) say(output.trim());
  return countOne(code === 0, title);
}

const toolPaths = {
  biome: "@biomejs/biome/bin/biome",
  tsc: "typescript/bin/tsc",
  vitest: "vitest/vitest.mjs",
  playwright: "@playwright/test/cli.js",
  "lockfile-lint": "lockfile-lint/bin/lockfile-lint.js",
};

/** @param {string} tool */
function toolPath(tool) {
  return join(root, "node_modules", toolPaths[/** @type {keyof typeof toolPaths} */ (tool)]);
}

/** @param {string} node */
async function checkLock(node) {
  // The lock holds no addresses, so the host rules guard against the day someone commits one.
  const rules = ["--validate-https", "--allowed-hosts", "npm", "--validate-integrity", "--validate-package-names"];
  const lock = ["--path", join(root, "package-lock.json"), "--type", "npm", "--empty-hostname", "true"];
  const linted = await runTool(node, "lockfile-lint", [...lock, ...rules], "lockfile-lint");
  // It passes over entries without a digest.
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const digests = told(digestFaults(packages), "package-lock.json");
  const { components, text } = await readSbom();
  if (components === 0) say(text.trim());
  say(`SBOM (CycloneDX): компонентов ${components}.`);
  const licences = told(licenceFaults(packages), "лицензии");
  const names = new Set(licencesOf(packages).map(({ licence }) => licence));
  say(`Лицензии: ${[...names].sort().join(", ")}. Список: npm run licences.`);
  return addCounts([linted, digests, countOne(components > 0, "npm sbom"), licences, await audit()]);
}

/**
 * @param {string[]} faults
 * @param {string} title
 */
function told(faults, title) {
  for (const fault of faults) say(fault);
  return countOne(faults.length === 0, title);
}

/** What browsers get is among the dependencies that the audit looks at, the tools of tests are not. */
async function audit() {
  const { command, args } = npm();
  const flags = ["audit", "--omit=dev", "--json", "--loglevel=silent", "--fetch-retries=0", "--fetch-timeout=30000"];
  const { output } = await run(command, [...args, ...flags], { quiet: true, env: machineEnvironment() });
  const faults = auditFaults(output);
  if (faults !== undefined) return told(faults, "npm audit");
  say("Реестр не отвечает на npm audit: известные уязвимости не проверены.");
  return { ...countOne(true, ""), passed: 0, skipped: 1 };
}

/**
 * @param {string} node
 * @param {string} name of the report
 * @param {{ databaseUrl?: string, args?: string[], quiet?: boolean, full?: boolean }} [options] `quiet` shows what it printed when it has ended
 */
async function runVitest(node, name, { databaseUrl, args: more = [], quiet = false, full = false } = {}) {
  const report = await freshReport(`vitest-${name}.json`);
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  const args = [toolPath("vitest"), "run", ...more, ...reporters, "--passWithNoTests"];
  const dovecot = await ensureDovecot();
  if (!dovecot) say("dovecot не найден и поставить его нельзя: проверки почты на настоящем сервере пропущены.");
  const env = toolEnvironment({
    TEST_DATABASE_URL: databaseUrl,
    TEST_FULL: full ? "1" : undefined,
    DOVECOT_PATH: dovecot,
    DATABASE_URL: undefined,
    NODE_ENV: undefined,
  });
  const { code, output } = await run(node, args, { env, quiet, group: true });
  if (quiet) say(output);
  say(await slowestFiles(report));
  return countVitest(report, code, `vitest (${name})`);
}

/**
 * @param {string} node
 * @param {boolean} full
 */
function runOnPostgres(node, full) {
  return withPostgres(async (postgres) => {
    if (postgres) {
      say(postgres.version);
      const args = ["server/", `--maxWorkers=${besideBrowsers}`];
      return runVitest(node, "postgres", { databaseUrl: postgres.url, args, quiet: true, full });
    }
    say("PostgreSQL не найден и поставить его нельзя: эта половина проверок пропущена.");
    if (process.env.CI === "true") return countOne(false, "PostgreSQL не найден");
    return { ...countOne(true, ""), passed: 0, skipped: 1 };
  });
}

/**
 * Few act at once and rest long between: it is to wait, not to work.
 * @param {string} node
 */
async function soakForAMinute(node) {
  const load = ["--minutes", "1", "--clients", "6", "--rest", "500", "--messages", "600"];
  const { code, output } = await run(node, [join(root, "bench", "soak.ts"), ...load], {
    env: toolEnvironment({ DATABASE_URL: undefined, NODE_ENV: undefined }),
    quiet: true,
    group: true,
  });
  say(output.trim());
  return countOne(code === 0, "soak (pglite)");
}

/** @param {string} node */
async function checkBuild(node) {
  const { code, output } = await buildWeb(node);
  if (code === 0) return addCounts([countOne(true, "vite build"), await checkFirstLoads()]);
  say(output.trim());
  return countOne(false, "vite build");
}

/** One test for each screen and one for the styles: the first load keeps within the budget. */
async function checkFirstLoads() {
  const loads = await firstLoads();
  const lines = loads.map(({ path, kb, budget }) => `${path} ${kb.toFixed(1)} из ${budget} КБ`);
  say(`JavaScript первых загрузок, gzip: ${lines.join(", ")}.`);
  const styles = await styleLoad();
  const styleLine = `Стили, gzip: ${styles.kb.toFixed(1)} из ${styles.budget} КБ`;
  say(`${styleLine}.`);
  return addCounts([
    ...loads.map(({ kb, budget }, place) => countOne(kb <= budget, `Первая загрузка ${lines[place]}`)),
    countOne(styles.kb <= styles.budget, styleLine),
  ]);
}

/**
 * @param {string} node
 * @param {boolean} full
 */
async function runBrowser(node, full) {
  const chromium = await ensureChromium(node);
  if (!chromium) return countOne(false, "Chromium не найден");
  const report = await freshReport("playwright.json");
  const env = toolEnvironment({
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    TEST_FULL: full ? "1" : undefined,
    NODE_ENV: undefined,
  });
  const { code } = await run(node, [toolPath("playwright"), "test"], { env, group: true });
  return countPlaywright(report, code, "playwright");
}

/** @param {string} name */
async function freshReport(name) {
  await mkdir(reports, { recursive: true });
  const path = join(reports, name);
  await rm(path, { force: true });
  return path;
}
