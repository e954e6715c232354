import { spawnSync } from "node:child_process";
import { run, say } from "./runtime.mjs";

/** Whether this process may install Debian packages. */
export function mayInstallPackages() {
  return process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
}

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Installs a Debian package, refreshing the package lists when they are missing or too old to find it. One after another: apt lets
 * nobody in beside itself.
 * @param {string} name
 * @returns {Promise<boolean>} whether it is installed now
 */
export function installPackage(name) {
  const installed = last.then(() => installNow(name));
  last = installed;
  return installed;
}

/**
 * @param {string} name
 * @returns {Promise<boolean>}
 */
async function installNow(name) {
  say(`Устанавливаю пакет ${name}…`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = () => run("apt-get", ["install", "-y", "--no-install-recommends", name], { env, quiet: true });
  let result = await install();
  if (result.code !== 0) {
    await run("apt-get", ["update"], { env, quiet: true });
    result = await install();
  }
  if (result.code !== 0) say(result.output.trim());
  return result.code === 0;
}
