// Installs what is missing, and nothing when everything is there. Run by hand: `node scripts/install.mjs [--production]`.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNode, machineEnvironment, npm, root, run, say } from "./runtime.mjs";

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {boolean} [dev]
 * @property {boolean} [devOptional]
 * @property {boolean} [optional]
 */

/**
 * Makes node_modules agree with package-lock.json and Node 24 available.
 * @param {{ dev: boolean }} wanted `dev: false` is content without the development tools, and leaves them when they are there
 * @returns {Promise<string>} the path of Node 24
 * @throws {InstallationError} with a sentence for the person at the terminal
 */
export async function ensureInstalled({ dev }) {
  if (!(await isInstalled(dev))) await install(dev);
  const node = findNode() ?? (await rebuildNode());
  if (!node) {
    throw new InstallationError(
      "Не найден Node 24: пакет «node» не смог скачать его для этой системы. Поставьте Node 24 сами и повторите команду.",
    );
  }
  return node;
}

/** What went wrong in words for the terminal; thrown by `ensureInstalled` only. */
export class InstallationError extends Error {}

/**
 * npm keeps its own record of what it has installed, written last. Comparing it with the lock file also notices a pull
 * that changed the lock, an interrupted installation and packages added by hand.
 * @param {boolean} dev
 */
async function isInstalled(dev) {
  const locked = await readPackages(join(root, "package-lock.json"));
  const present = await readPackages(join(root, "node_modules", ".package-lock.json"));
  if (!locked || !present) return false;
  return Object.entries(locked).every(([path, { version, ...kind }]) => {
    if (path === "" || kind.optional || kind.devOptional || (kind.dev && !dev)) return true;
    return present[path]?.version === version;
  });
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, LockedPackage> | undefined>}
 */
async function readPackages(file) {
  try {
    return JSON.parse(await readFile(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** @param {boolean} dev */
async function install(dev) {
  say(dev ? "Устанавливаю зависимости, включая инструменты разработки…" : "Устанавливаю зависимости…");
  const began = performance.now();
  const mode = dev ? ["--include=dev"] : ["--omit=dev"];
  let result = await runNpm(["ci", ...mode]);
  // Some registries do not list the builds for other systems; such a lock is refused by «ci» but obeyed by «install».
  if (result.code !== 0 && result.output.includes("EUSAGE")) {
    result = await runNpm(["install", "--no-save", ...mode]);
  }
  if (result.code !== 0) {
    throw new InstallationError(
      `${result.output.trim()}\n\nnpm не смог установить зависимости (код ${result.code}). ` +
        "Проверьте доступ к реестру npm и свободное место на диске, затем повторите команду.",
    );
  }
  say(`Зависимости установлены за ${Math.round((performance.now() - began) / 1000)} с.`);
}

/** The `node` package fetches its binary in an install script, which npm may have been told to skip. */
async function rebuildNode() {
  say("Загружаю Node 24…");
  const result = await runNpm(["rebuild", "node", "--ignore-scripts=false"]);
  if (result.code !== 0) say(result.output.trim());
  return findNode();
}

/** @param {string[]} args */
function runNpm(args) {
  const { command, args: first } = npm();
  const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
  // NODE_ENV=production would make npm leave out the development tools.
  return run(command, [...first, ...args, ...flags], {
    quiet: true,
    env: { ...machineEnvironment(), NODE_ENV: undefined },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await ensureInstalled({ dev: !process.argv.includes("--production") });
  } catch (error) {
    if (!(error instanceof InstallationError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
