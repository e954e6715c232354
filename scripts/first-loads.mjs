// What a browser must load before a screen shows: read from the build, held against the budgets.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./runtime.mjs";

/**
 * @typedef {Record<string, { file: string, imports?: string[], css?: string[] }>} Manifest
 * @typedef {{ path: string, module: string, guarded: boolean }} Screen
 */

/**
 * KB of JavaScript, gzip, that the first load of a screen may take; any other screen may take `otherBudget`.
 * @type {Readonly<Record<string, number>>}
 */
const budgets = { "/landing": 130, "/login": 120, "/dashboard": 150 };
const otherBudget = 170;
/** KB of styles, gzip, of the application: one file for all screens. */
const styleBudget = 15;

/** @param {string} path */
export const budgetOf = (path) => budgets[path] ?? otherBudget;

/**
 * First loads of all screens of `dist/web`, the heaviest first: the application, the screen's own code, for signed-in people the shell, and
 * whatever these import statically. Code that they fetch later is left to `npm run bench:web`.
 * @returns {Promise<{ path: string, kb: number, budget: number }[]>}
 * @throws when a screen of the application has no chunk in the build
 */
export async function firstLoads() {
  /** @type {Manifest} */
  const manifest = JSON.parse(await read("dist/web/.vite/manifest.json"));
  const sizes = new Map();
  for (const { file } of Object.values(manifest)) {
    if (file.endsWith(".js"))
      sizes.set(file, gzipSync(await readFile(join(root, "dist/web", file)), { level: 9 }).length);
  }
  const screens = screensOf(await read("web/screens.ts"), await read("web/paths.ts"));
  const loads = screens.map(({ path, module, guarded }) => {
    const files = filesOf(manifest, ["index.html", module, ...(guarded ? ["shell/shell.tsx"] : [])]);
    const bytes = [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
    return { path, kb: bytes / 1024, budget: budgetOf(path) };
  });
  return loads.sort((one, other) => other.kb - one.kb);
}

/**
 * What the styles of the application take.
 * @returns {Promise<{ kb: number, budget: number }>}
 * @throws when the build has no styles
 */
export async function styleLoad() {
  /** @type {Manifest} */
  const manifest = JSON.parse(await read("dist/web/.vite/manifest.json"));
  const sheets = manifest["index.html"]?.css ?? [];
  if (sheets.length === 0) throw new Error("The build has no styles");
  const packed = await Promise.all(
    sheets.map(async (file) => gzipSync(await readFile(join(root, "dist/web", file)), { level: 9 }).length),
  );
  return { kb: packed.reduce((sum, bytes) => sum + bytes, 0) / 1024, budget: styleBudget };
}

/** @param {string} path from the project's folder */
function read(path) {
  return readFile(join(root, path), "utf8");
}

/**
 * The screens with their first address, as the table of screens and the table of paths have them.
 * @param {string} table the text of web/screens.ts
 * @param {string} addresses the text of web/paths.ts
 * @returns {Screen[]}
 */
export function screensOf(table, addresses) {
  const paths = new Map([...addresses.matchAll(/^ {2}(\w+): "([^"]+)",$/gm)].map(([, name, path]) => [name, path]));
  const guardedFrom = table.indexOf("guardedScreens");
  const found = [...table.matchAll(/\bscreen\(\(\) => import\("\.\/([^"]+)"\)(?:, (?:paths\.(\w+)|"([^"]+)"))?/g)];
  const screens = found.map(({ index, 1: module = "", 2: name, 3: pattern }) => ({
    // The screen of unknown addresses has none of its own.
    path: pattern ?? (name === undefined ? "*" : (paths.get(name) ?? name)),
    module,
    guarded: index > guardedFrom,
  }));
  if (screens.length < 30) throw new Error(`Only ${screens.length} screens were found in web/screens.ts`);
  return screens;
}

/**
 * Files of the modules and of what they import statically.
 * @param {Manifest} manifest
 * @param {string[]} modules keys of the manifest
 */
export function filesOf(manifest, modules) {
  const seen = new Set(modules);
  for (const key of seen) {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no chunk of ${key}`);
    for (const next of chunk.imports ?? []) seen.add(next);
  }
  return new Set([...seen].map((key) => /** @type {Manifest[string]} */ (manifest[key]).file));
}
