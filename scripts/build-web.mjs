// Builds the browser's half when its sources have changed since the last build. Run by hand (`npm run build`) it first installs what
// that and a start need; in production the start itself does neither.
import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, InstallationError } from "./install.mjs";
import { root, run, say, toolEnvironment } from "./runtime.mjs";

const inputs = [
  "web",
  "contract",
  "vite.config.ts",
  "scripts/messages",
  "scripts/prerender-landing.mjs",
  "package.json",
  "package-lock.json",
];
const stamp = join(root, "dist", "web", ".inputs");

/**
 * Runs `vite build` into dist/web unless it holds the build of these very sources.
 * @param {string} node the path of Node 24
 * @returns {Promise<{ built: boolean, code: number, output: string }>} `code` is 0 when dist/web is up to date
 */
export async function buildWeb(node) {
  const listing = await listInputs();
  if ((await readStamp()) === listing) return { built: false, code: 0, output: "" };
  say("Собираю интерфейс…");
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const env = toolEnvironment({ NODE_ENV: "production" });
  const result = await run(node, [vite, "build", "--logLevel", "warn"], { env, quiet: true });
  if (result.code === 0) await writeFile(stamp, listing);
  return { built: true, ...result };
}

/** @param {{ code: number, output: string }} build one that did not succeed */
export function buildFailure({ code, output }) {
  return `${output.trim()}\n\nНе удалось собрать интерфейс (код ${code}).`;
}

/** A digest of names, sizes and times: reading the contents would cost a second start more than it may take. */
async function listInputs() {
  const lines = (await Promise.all(inputs.map((name) => list(name)))).flat().sort();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/**
 * @param {string} path from the project's folder
 * @returns {Promise<string[]>}
 */
async function list(path) {
  const found = await stat(join(root, path)).catch(() => undefined);
  if (!found || path.endsWith(".test.ts") || path.endsWith(".test.tsx") || path.endsWith(".test.mjs")) return [];
  if (!found.isDirectory()) return [`${path} ${found.size} ${found.mtimeMs}`];
  const names = await readdir(join(root, path));
  return (await Promise.all(names.map((name) => list(`${path}/${name}`)))).flat();
}

async function readStamp() {
  return readFile(stamp, "utf8").catch(() => undefined);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const build = await buildWeb(await ensureInstalled({ dev: false }));
    say(build.code === 0 ? `Интерфейс собран: ${join(root, "dist", "web")}` : buildFailure(build));
    process.exitCode = build.code;
  } catch (error) {
    if (!(error instanceof InstallationError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
