// What `npm start` does otherwise in production: the code folder is taken as it is, and nothing is written to it.
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findNode, root } from "./runtime.mjs";
import { serverPackages } from "./server-packages.mjs";

/** Something that a start in production needs is not there; the message is a sentence for the person at the terminal. */
export class NotReady extends Error {}

/**
 * Looks whether the server can run from this folder as it lies there.
 * @returns {Promise<string>} the path of Node 24
 * @throws {NotReady}
 */
export async function preparedNode() {
  const modules = join(root, "node_modules");
  for (const [name, version] of await serverPackages()) {
    if ((await versionOf(join(modules, name))) !== version) throw missing(`пакета ${name} ${version} в ${modules}`);
  }
  const node = findNode();
  if (node === undefined) throw missing(`Node 24 в ${modules}`);
  const web = join(root, "dist", "web");
  if (!existsSync(join(web, "index.html"))) throw missing(`собранного интерфейса в ${web}`);
  return node;
}

/** @param {string} what */
function missing(what) {
  return new NotReady(
    `Не хватает ${what}: выполните «npm run build» в папке ${root} и запустите снова ` +
      "(при NODE_ENV=production сам запуск ничего не ставит и не собирает).",
  );
}

/** @param {string} folder of a package */
async function versionOf(folder) {
  try {
    return JSON.parse(await readFile(join(folder, "package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}

/**
 * Where Node keeps compiled modules of a server in production: in the data folder, which nobody but the server's user may write to.
 * What is cached there is run.
 * @returns {Record<string, string>} for the server's environment
 */
export function productionCache() {
  const { NODE_COMPILE_CACHE, DATA_DIR } = process.env;
  if (NODE_COMPILE_CACHE) return {};
  const data = resolve(DATA_DIR || "data");
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch {
    // The server says in a sentence what is wrong with its data folder.
  }
  return { NODE_COMPILE_CACHE: join(data, "cache", "compiled") };
}
