import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installPackage, mayInstallPackages } from "./apt.mjs";
import { root, run, say, toolEnvironment } from "./runtime.mjs";

/** Debian's package of Chromium without the browser's own windows: a page there costs half the CPU time, a context a third. */
const shell = "chromium-headless-shell";

/**
 * The path of a Chromium: the one CHROMIUM_PATH names, Debian's headless shell (installed when we may), the machine's own
 * browser, Debian's package of it (installed likewise), or Playwright's download.
 * @param {string} node the path of Node 24
 * @returns {Promise<string | undefined>} undefined when there is none and none could be installed
 */
export async function ensureChromium(node) {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  for (const name of [shell, "chromium"]) {
    const present = findChromium();
    if (present && (name === "chromium" || present.endsWith(shell))) return present;
    if (mayInstallPackages() && (await installPackage(name))) return findChromium();
  }
  say("Загружаю Chromium для Playwright…");
  const cli = join(root, "node_modules", "@playwright", "test", "cli.js");
  await run(node, [cli, "install", "chromium"], { env: toolEnvironment() });
  return findPlaywrightsChromium();
}

/** @returns {string | undefined} what is on this machine already, the cheapest first */
function findChromium() {
  const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
  const paths = [`/usr/bin/${shell}`, "/usr/bin/chromium", "/usr/bin/google-chrome", mac];
  for (const path of paths) if (existsSync(path)) return path;
  for (const name of [shell, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
    const found = spawnSync("which", [name], { encoding: "utf8" }).stdout?.trim();
    if (found) return found;
  }
  return undefined;
}

async function findPlaywrightsChromium() {
  const entry = createRequire(join(root, "package.json")).resolve("@playwright/test");
  const { chromium } = await import(pathToFileURL(entry).href).then((module) => module.default ?? module);
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}
