import { readFileSync } from "node:fs";

/**
 * Calls `leave` once when the npm that started this process is gone. npm hands a signal to the shell between us, which
 * dies of it without telling us, and a killed npm tells nobody: the server would stay and hold its port and data folder.
 * Does nothing when we were not started by npm.
 * @param {() => void} leave
 */
export function onParentGone(leave) {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return;
  const parent = process.ppid;
  const grandparent = findParent(parent);
  // Beyond npm stands the person's own shell, which may well end before the server does.
  const npmIsGrandparent = !isNpm(parent) && grandparent !== undefined && isNpm(grandparent);
  const timer = setInterval(() => {
    const gone = process.ppid !== parent || (npmIsGrandparent && findParent(parent) !== grandparent);
    if (!gone) return;
    clearInterval(timer);
    leave();
  }, 500);
  timer.unref();
}

/** @param {number} pid */
function isNpm(pid) {
  return readProcess(pid)?.name.startsWith("npm") ?? false;
}

/** @param {number} pid */
function findParent(pid) {
  return readProcess(pid)?.parent;
}

/**
 * From Linux's /proc: `pid (name) state parent …`. Undefined on other systems and for processes that have ended.
 * @param {number} pid
 */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    return { name: stat.slice(stat.indexOf("(") + 1, end), parent: Number(stat.slice(end + 2).split(" ")[1]) };
  } catch {
    return undefined;
  }
}
