// The landing page as a file: a visitor reads it before, or without, any script.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { translateTo } from "./messages/translate-plugin.mjs";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, ".cache", "prerender");
const PAGE = "landing/landing-page.tsx";
/** Before the page's buttons, so that no press on one of them is lost. */
const EARLY_PRESS = '<script src="/early-press.js"></script>';

/**
 * Writes `landing.html` beside `index.html`: the same page with the landing screen drawn into it, its own head, and its
 * code asked for at once. server/platform/pages/landing-page.ts serves it.
 * @param {string} language
 * @returns {import("vite").Plugin}
 */
export function prerenderLanding(language) {
  return {
    name: "prerender-landing",
    apply: "build",
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) throw new Error("The build has no folder to write to");
      const { landingHead, landingMarkup } = await loadPrerender(language);
      const markup = await landingMarkup();
      const page = await readFile(join(dir, "index.html"), "utf8");
      const preloads = filesOf(bundle)
        .filter((file) => !page.includes(`/${file}`))
        .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
      const html = page
        .replace(/\s*<title>.*?<\/title>/s, "")
        .replace(/<meta\s+name="description".*?>/s, () => landingHead())
        .replace("</head>", () => `  ${[EARLY_PRESS, ...preloads].join("\n    ")}\n  </head>`)
        // What is read first needs no code: styles and fonts go before it.
        .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
        .replace('<div id="root"></div>', () => `<div id="root" data-landing>${markup}</div>`);
      check(html);
      await writeFile(join(dir, "landing.html"), html);
    },
  };
}

/**
 * Files of the landing screen: its chunk and what that imports.
 * @param {import("vite").Rollup.OutputBundle} bundle
 */
function filesOf(bundle) {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(PAGE));
  if (!page) throw new Error(`The build has no chunk of ${PAGE}`);
  const files = new Set([page.fileName]);
  for (const file of files) {
    for (const next of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(next);
  }
  return [...files];
}

/**
 * @param {string} language
 * @returns {Promise<{ landingHead: () => string, landingMarkup: () => Promise<string> }>}
 */
async function loadPrerender(language) {
  const outDir = join(OUT, language);
  await build({
    configFile: false,
    root: join(ROOT, "web"),
    cacheDir: join(ROOT, ".cache", "vite"),
    logLevel: "error",
    define: { "import.meta.env.PAGE_LANGUAGE": JSON.stringify(language) },
    plugins: [language === "ru" ? [] : translateTo(language), react()],
    publicDir: false,
    build: {
      ssr: "landing/prerender.tsx",
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { output: { entryFileNames: "landing.mjs" } },
    },
  });
  return import(`${pathToFileURL(join(outDir, "landing.mjs"))}?${Date.now()}`);
}

/**
 * A build that left something out, or that the content security policy would cripple, fails here and not at a visitor's.
 * @param {string} html
 */
function check(html) {
  for (const part of ["<h1", 'rel="canonical"', 'rel="modulepreload"']) {
    if (!html.includes(part)) throw new Error(`The prerendered landing page has no ${part}`);
  }
  const inline = /<style|\sstyle=|\son\w+="|<script(?![^>]*\s(?:src=|type="application\/ld\+json"))/i.exec(html);
  if (inline) throw new Error(`The prerendered landing page has inline code or style: ${inline[0]}`);
}
