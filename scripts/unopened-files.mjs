// Removes from node_modules what packages bring and this product never opens. npm runs it after each installation.
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The build of Tesseract that the server loads. */
const TESSERACT = "tesseract-core-simd-lstm";

/**
 * Sources to compile what is compiled already, and builds for other processors: 170 MB. A package keeps its folder and its
 * package.json, because npm would install it again.
 * @param {string} modules the folder of packages
 * @param {string} [processor]
 * @returns {Promise<string[]>} paths in that folder
 */
export async function unopenedFiles(modules, processor = process.arch) {
  /** @param {string} folder */
  const list = (folder) => readdir(join(modules, folder)).catch(() => []);
  const [runtimes, builds] = await Promise.all([list("node/node_modules"), list("tesseract.js-core")]);
  const opened = [`${TESSERACT}.js`, `${TESSERACT}.wasm`];
  return [
    ...runtimes.filter((name) => name.startsWith("node-")).map((name) => `node/node_modules/${name}/include`),
    "node-llama-cpp/llama/gitRelease.bundle",
    "better-sqlite3/deps",
    ...(processor === "x64" ? ["@node-llama-cpp/linux-arm64/bins"] : []),
    ...builds
      .filter((name) => name.startsWith("tesseract-core") && !opened.includes(name))
      .map((name) => `tesseract.js-core/${name}`),
  ].filter((path) => existsSync(join(modules, path)));
}

/** @param {string} modules the folder of packages */
async function removeUnopenedFiles(modules) {
  const paths = await unopenedFiles(modules);
  await Promise.all(paths.map((path) => rm(join(modules, path), { recursive: true, force: true })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await removeUnopenedFiles(fileURLToPath(new URL("../node_modules", import.meta.url)));
}
