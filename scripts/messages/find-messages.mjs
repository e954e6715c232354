// Every text that a catalogue has to have, with the first file that holds it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../runtime.mjs";
import { messagesOf } from "./module-messages.mjs";
import { translateManifest, translatePage, translateStyles } from "./page-messages.mjs";
import { isServerFile, sentencesOfServer } from "./server-sentences.mjs";
import { isTranslated } from "./texts.mjs";

/** What stands outside of modules. @type {Record<string, typeof translatePage>} */
const PAGES = {
  "web/index.html": translatePage,
  "web/widget.html": translatePage,
  "web/public/site.webmanifest": translateManifest,
  "web/ui/figures/example-figure.tsx": (code, translate) => {
    // Tailwind makes the style sheet of the names of classes.
    return translateStyles(code.replace(/content-\['([^']*)'\]/g, "'$1';"), translate);
  },
};

/** @returns {Promise<{ screens: Map<string, string>, server: Map<string, string> }>} text → file, sorted by file */
export async function findMessages() {
  /** @type {Map<string, string>} */
  const screens = new Map();
  /** @type {Map<string, string>} */
  const server = new Map();
  const files = (await Promise.all(["contract", "web", "server"].map((folder) => filesIn(folder)))).flat();
  for (const file of files) {
    const read = () => readFile(join(root, file), "utf8");
    if (isTranslated(file)) keep(screens, file, messagesOf(file, await read()));
    if (isServerFile(file)) keep(server, file, sentencesOfServer(file, await read()));
    const page = PAGES[file];
    if (page === undefined) continue;
    page(await read(), (text) => void keep(screens, file, [text]), "");
  }
  return { screens, server };
}

/**
 * @param {Map<string, string>} kept
 * @param {string} file
 * @param {string[]} texts
 */
function keep(kept, file, texts) {
  for (const text of texts) if (!kept.has(text)) kept.set(text, file);
  return undefined;
}

/** @param {string} folder */
async function filesIn(folder) {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`).sort();
}
