// The browser's half in another language: the build puts the texts of its catalogue in the place of the Russian ones.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { root } from "../runtime.mjs";
import { readCatalogue } from "./catalogue.mjs";
import { translateModule } from "./module-messages.mjs";
import { translateManifest, translatePage, translateStyles } from "./page-messages.mjs";
import { isTranslated } from "./texts.mjs";

/** Sentences of the server reach the browser as a module of their own, which is loaded when the first one comes. */
const SENTENCES = "web/i18n/server-sentences.ts";

/**
 * @param {string} language of a catalogue in web/i18n; Russian needs no plugin
 * @returns {import("vite").Plugin[]} to stand behind the plugin that makes the style sheet
 */
export function translateTo(language) {
  const { screens, server } = readCatalogue(language);
  const translate = (/** @type {string} */ text) => screens[text] || undefined;
  return [
    {
      name: "translate",
      enforce: "pre",
      transform: {
        filter: { id: /[\\/](web|contract)[\\/].*\.tsx?$/ },
        handler(code, id) {
          const file = pathOf(id);
          if (file === SENTENCES) return { code: `export const sentences = ${JSON.stringify(server)};`, map: null };
          return isTranslated(file) ? { code: translateModule(file, code, translate), map: null } : null;
        },
      },
      transformIndexHtml: { order: "pre", handler: (html) => translatePage(html, translate, language) },
    },
    {
      name: "translate-styles",
      enforce: "pre",
      transform: {
        filter: { id: /\.css$/ },
        handler: (code) => ({ code: translateStyles(code, translate), map: null }),
      },
    },
    {
      name: "translate-manifest",
      apply: "build",
      transformIndexHtml: {
        order: "post",
        handler: (html) => html.replace("/site.webmanifest", `/site.${language}.webmanifest`),
      },
      async writeBundle({ dir }) {
        const manifest = await readFile(join(root, "web", "public", "site.webmanifest"), "utf8");
        await writeFile(
          join(/** @type {string} */ (dir), `site.${language}.webmanifest`),
          translateManifest(manifest, translate, language),
        );
      },
    },
  ];
}

/** @param {string} id a module's absolute path, which may have a query behind it */
const pathOf = (id) =>
  id
    .slice(root.length + 1)
    .replaceAll("\\", "/")
    .replace(/\?.*$/, "");

/**
 * Builds the pages of another language beside the Russian ones: `<out>/<language>/*.html`. Their files lie with the Russian build's,
 * since a name holds a digest of what is in it; so what is the same in both languages is loaded once.
 * @param {string} language
 * @param {string} out folder of the Russian build
 * @param {() => import("vite").UserConfig} config of the other build
 * @returns {import("vite").Plugin}
 */
export function alsoBuildIn(language, out, config) {
  return {
    name: `build-in-${language}`,
    apply: "build",
    closeBundle: {
      sequential: true,
      async handler() {
        const dir = join(out, language);
        await build({ ...config(), configFile: false, logLevel: "warn" });
        await mkdir(join(out, "assets"), { recursive: true });
        for (const name of await readdir(join(dir, "assets"))) {
          await rename(join(dir, "assets", name), join(out, "assets", name));
        }
        await rm(join(dir, "assets"), { recursive: true });
        await rename(join(dir, `site.${language}.webmanifest`), join(out, `site.${language}.webmanifest`));
      },
    },
  };
}
