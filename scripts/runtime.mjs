// Where the pinned Node 24 is and how the scripts start other programs with it. Everything in this folder must also run
// on the machine's own Node (20 or later), because it runs before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, without a trailing separator. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

const toolFolder = join(root, "node_modules", ".bin");
const windows = process.platform === "win32";

/** The `node` package's binary itself: npm's wrappers in `.bin` would cost a shell on Windows. */
export const pinnedNode = join(root, "node_modules", "node", "bin", windows ? "node.exe" : "node");

/**
 * The Node that runs the project's TypeScript: the pinned one, or the one running now where the `node` package has no
 * build for this system. Undefined when neither is version 24 or later.
 * @returns {string | undefined}
 */
export function findNode() {
  for (const candidate of [pinnedNode, process.execPath]) {
    if (!existsSync(candidate)) continue;
    const answer = spawnSync(candidate, ["--version"], { encoding: "utf8" });
    const major = Number(/^v(\d+)\./.exec(answer.stdout ?? "")?.[1]);
    if (major >= 24) return candidate;
  }
  return undefined;
}

/**
 * Where Node keeps compiled modules, TypeScript with its types stripped among them: a start costs two thirds of the processor time.
 */
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(root, ".cache", "compiled");

/**
 * The environment in which tools of `node_modules` find themselves and Node 24.
 * @param {Record<string, string | undefined>} [extra]
 * @returns {Record<string, string | undefined>}
 */
export function toolEnvironment(extra = {}) {
  const path = `${toolFolder}${delimiter}${process.env.PATH ?? ""}`;
  return { ...process.env, PATH: path, NODE_COMPILE_CACHE: compileCache, ...extra };
}

/**
 * The machine's own PATH. npm puts `node_modules/.bin` first, and an installation replaces the node that lies there.
 * @returns {Record<string, string | undefined>}
 */
export function machineEnvironment() {
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(`node_modules${sep}.bin`));
  return { ...process.env, PATH: folders.join(delimiter) };
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
/**
 * Process groups that `run` has made. They are kept when the program has ended: what it started may go on.
 * @type {Set<number>}
 */
const groups = new Set();

/**
 * @typedef {object} RunOptions
 * @property {Record<string, string | undefined>} [env]
 * @property {string} [cwd] the project's folder when absent
 * @property {boolean} [quiet] keep the output instead of showing it
 * @property {number} [uid]
 * @property {number} [gid]
 * @property {boolean} [group] a process group of its own, so that `stopRunning` reaches what the program itself has started
 */

/**
 * Starts a program and waits for its end. Never throws: a program that cannot be started answers code 127.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} `output` is what it printed (both streams) when `quiet`
 */
export function run(command, args, options = {}) {
  const { quiet = false, cwd = root, group = false, ...rest } = options;
  const stdio = quiet ? "pipe" : "inherit";
  return new Promise((resolve) => {
    const detached = group && !windows;
    const child = spawn(command, args, { ...rest, cwd, detached, stdio: ["ignore", stdio, stdio], shell: windows });
    running.add(child);
    if (detached && child.pid) groups.add(child.pid);
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => {
      running.delete(child);
      resolve({ code: 127, output: `${output}${error.message}\n` });
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      resolve({ code: code ?? (signal ? 1 : 0), output });
    });
  });
}

/**
 * Passes a signal to everything that `run` has started and that has not ended yet, whole groups where it has made them.
 * @param {NodeJS.Signals} signal
 */
export function stopRunning(signal = "SIGTERM") {
  for (const child of running) if (!child.pid || !groups.has(child.pid)) child.kill(signal);
  for (const group of groups) if (!signalGroup(group, signal)) groups.delete(group);
}

/**
 * Ends the groups of everything that `run` has started: at once where a process listens to SIGTERM, after `patienceMs` where it does not.
 * @param {number} patienceMs
 */
export async function endGroups(patienceMs) {
  stopRunning("SIGTERM");
  for (const until = Date.now() + patienceMs; Date.now() < until && anyGroup(); ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  stopRunning("SIGKILL");
}

function anyGroup() {
  for (const group of groups) if (!signalGroup(group, 0)) groups.delete(group);
  return groups.size > 0;
}

/**
 * @param {number} group
 * @param {NodeJS.Signals | 0} signal 0 only asks
 * @returns {boolean} whether somebody is in the group
 */
function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * npm as a program and its first arguments: the very npm that started us when there is one, so that its version and
 * settings hold.
 * @returns {{ command: string, args: string[] }}
 */
export function npm() {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith("npm-cli.js") && existsSync(cli)) return { command: outsideNode(), args: [cli] };
  return { command: "npm", args: [] };
}

/** A Node that an installation does not delete under npm's feet. */
function outsideNode() {
  const own = process.env.npm_node_execpath ?? process.execPath;
  return own.startsWith(join(root, "node_modules")) ? "node" : own;
}

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`);
}
