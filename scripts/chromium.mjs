import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installPackage, mayInstallPackages } from "./apt.mjs";
import { root, run, say, toolEnvironment } from "./runtime.mjs";

/**
 * The path of a Chromium: the one CHROMIUM_PATH names, the machine's own, Debian's package (installed when we may), or
 * Playwright's download.
 * @param {string} node the path of Node 24
 * @returns {Promise<string | undefined>} undefined when there is none and none could be installed
 */
export async function ensureChromium(node) {
  const present = findChromium();
  if (present) return present;
  if (mayInstallPackages() && (await installPackage("chromium"))) return findChromium();
  say("Загружаю Chromium для Playwright…");
  const cli = join(root, "node_modules", "@playwright", "test", "cli.js");
  await run(node, [cli, "install", "chromium"], { env: toolEnvironment() });
  return findPlaywrightsChromium();
}

function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
  for (const path of ["/usr/bin/chromium", "/usr/bin/google-chrome", mac]) if (existsSync(path)) return path;
  for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
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
