// Under which licences the packages of the lock come, and whether each may be used. Run by hand it prints the list (`npm run licences`).
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LEFT_OUT } from "./lock-digests.mjs";
import { root, say } from "./runtime.mjs";

/** By their names of SPDX. Each lets us ship the package unchanged beside code under MIT; copyleft that reaches beyond a file is not here. */
export const ALLOWED = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  // Binds its own files alone, and we change none.
  "MPL-2.0",
  // Fonts.
  "OFL-1.1",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

/**
 * Packages whose manifest says it in words that SPDX does not know, and what their licence file is.
 * @type {Record<string, string>}
 */
const READ_BY_HAND = { "duck@0.1.12": "BSD-2-Clause" };

/** @typedef {{ version?: string, license?: string, link?: boolean, dev?: boolean }} LockEntry */

/**
 * The licence of each package.
 * @param {Record<string, LockEntry>} packages of package-lock.json, by path
 * @returns {{ name: string, licence: string, dev: boolean }[]} `name` is name@version; an empty licence was not given
 */
export function licencesOf(packages) {
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && !link)
    .map(([path, { version, license = "", dev = false }]) => {
      const name = `${path.split("node_modules/").at(-1)}@${version}`;
      return { name, licence: READ_BY_HAND[name] ?? license, dev };
    })
    .filter(({ name }) => !LEFT_OUT.includes(name));
}

/**
 * A sentence for each package whose licence is not allowed.
 * @param {Record<string, LockEntry>} packages of package-lock.json, by path
 * @returns {string[]}
 */
export function licenceFaults(packages) {
  return licencesOf(packages)
    .filter(({ licence }) => !isAllowed(licence))
    .map(({ name, licence }) =>
      licence === ""
        ? `Лицензия не указана: ${name}. Прочтите её и допишите в scripts/licences.mjs или возьмите другой пакет.`
        : `Лицензия «${licence}» не разрешена: ${name}. Возьмите другой пакет или разрешите её в scripts/licences.mjs.`,
    );
}

/**
 * Whether an expression of SPDX leaves us an allowed choice. Brackets inside brackets are not read, and so not allowed.
 * @param {string} expression
 */
function isAllowed(expression) {
  const bare = expression.startsWith("(") && expression.endsWith(")") ? expression.slice(1, -1) : expression;
  return bare.split(" AND ").every((part) => part.split(" OR ").some((licence) => ALLOWED.includes(licence)));
}

async function printList() {
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  for (const { name, licence, dev } of licencesOf(packages)) say(`${name}\t${licence}${dev ? "\tdev" : ""}`);
  const faults = licenceFaults(packages);
  for (const fault of faults) say(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await printList();
