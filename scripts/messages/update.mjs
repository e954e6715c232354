// `npm run messages`: writes new texts of the sources into each catalogue, empty for the translators, and takes out those that are gone.
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root, say } from "../runtime.mjs";
import { catalogueFile, faultOf, readCatalogue } from "./catalogue.mjs";
import { findMessages } from "./find-messages.mjs";

const found = await findMessages();
const files = (await readdir(join(root, "web", "i18n"))).filter((name) => name.endsWith(".json"));
for (const language of files.map((name) => name.slice(0, -".json".length))) {
  const old = readCatalogue(language);
  const next = { screens: inOrder(found.screens, old.screens), server: inOrder(found.server, old.server) };
  await writeFile(catalogueFile(language), `${JSON.stringify(next, null, 2)}\n`);
  for (const [text, translated] of [...Object.entries(next.screens), ...Object.entries(next.server)]) {
    const fault = faultOf(text, translated);
    if (fault !== null) say(`${language}: «${text}» ${fault} (${found.screens.get(text) ?? found.server.get(text)})`);
  }
}

/**
 * @param {Map<string, string>} texts
 * @param {Record<string, string>} translations
 */
function inOrder(texts, translations) {
  return Object.fromEntries([...texts.keys()].map((text) => [text, translations[text] ?? ""]));
}
