import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { alsoBuildIn, translateTo } from "./scripts/messages/translate-plugin.mjs";
import { prerenderLanding } from "./scripts/prerender-landing.mjs";

/** Preloads the two font files that every screen needs: cyrillic and latin. The others load when a character asks for them. */
function preloadFonts(): Plugin {
  return {
    name: "preload-fonts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle, path }) {
        // The chat on other sites writes in the reader's own font.
        if (path === "/widget.html") return [];
        return Object.keys(bundle ?? {})
          .filter((file) => /golos-text-(cyrillic|latin)-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: "" },
            injectTo: "head" as const,
          }));
      },
    },
  };
}

const SUMMARY = /\bsummary:\s*(?:"[^"\\]*"(?:\s*\+\s*"[^"\\]*")*|`[^`\\]*`)(?=\s*[,}])/g;

/** Leaves out of the browser's code what the contract says of its calls for the API's document alone: it is a tenth of the contract. */
function dropSummaries(): Plugin {
  return {
    name: "drop-summaries",
    apply: "build",
    transform: {
      filter: { id: /[\\/]contract[\\/].*\.ts$/ },
      handler: (code) => ({ code: code.replace(SUMMARY, 'summary: ""'), map: null }),
    },
  };
}

const START_VALUES = /@layer properties\{@supports [^{]*\{[^{}]*\{[^{}]*\}\}\}/g;
const MIXED_COLOURS = /@supports \(color:color-mix\(in lab, ?red, ?red\)\)\{((?:[^{}]*\{[^{}]*\})+)\}/g;

/** Leaves out what Tailwind adds for browsers that know neither `@property` nor `color-mix()`: those of `cssTarget` know both. */
function dropOldBrowsers(): Plugin {
  return {
    name: "drop-old-browsers",
    apply: "build",
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === "asset" && file.fileName.endsWith(".css"))
          file.source = Buffer.from(file.source)
            .toString("utf8")
            .replace(START_VALUES, "")
            .replace(MIXED_COLOURS, "$1");
      }
    },
  };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const OUT = join(import.meta.dirname, "dist/web");
/** Below this a packed file costs more in headers than it saves. */
const MIN_PACKED_BYTES = 1024;

/**
 * Lays a `.br` and a `.gz` beside each text file: the server sends what is there and packs nothing itself. Browsers take
 * brotli over https and on localhost only, so both are needed.
 */
function packFiles(): Plugin {
  return {
    name: "pack-files",
    apply: "build",
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        const files = await readdir(OUT, { recursive: true });
        await Promise.all(
          files.filter((file) => /\.(js|css|svg|html)$/.test(file)).map((file) => pack(join(OUT, file))),
        );
      },
    },
  };
}

async function pack(file: string) {
  const content = await readFile(file);
  if (content.length < MIN_PACKED_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    brotli(content, { params }).then((packed) => writeFile(`${file}.br`, packed)),
    zip(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ]);
}

/** What locks the page behind a dialog or a menu: nothing of it is needed before one opens. */
const DIALOG_PARTS = packages(
  "react-(alert-)?dialog|react-dismissable-layer|react-focus-(scope|guards)|react-portal|react-remove-scroll(-bar)?|" +
    "react-style-singleton|use-sidecar|use-callback-ref|aria-hidden|get-nonce|tslib",
);
const RADIX_PARTS = packages("@radix-ui[\\\\/](primitive|react-(context|primitive|presence|id|direction|use-[a-z-]+))");
/** Contracts that many screens share all the same, but not the first loads: forms that no visitor fills in, lists of single screens. */
const CONTRACTS_ON_FEW =
  String.raw`account-dialogs|conversations\.|credential-forms|integrations\.|knowledge\.|mailbox-url|media\.|organizations|plans|registration|reimport|search-text|` +
  "sendable-credentials|tags|twins|working-hours";

/** Shared by many screens all the same: visitors' own files, the dialogs that open late, fields that no visitor fills in. */
const ON_FEW_FIRST_LOADS = new RegExp(
  [
    "landing|auth|platform-(icon|names)|query-core.*infiniteQueryObserver|useInfiniteQuery",
    String.raw`[\\/]web[\\/](i18n[\\/]plural|ui[\\/](badge|chat-bubble|figures[\\/]examples|layout[\\/]paper-section))\.`,
    String.raw`[\\/]ui[\\/]\w+[\\/](checkbox|dialog|submit-footer|confirm-window|field|focus-return|form-error|input|label|password-input|progress|select|toast-room)\.`,
    String.raw`[\\/]contract[\\/]([\w-]+[\\/])?(${CONTRACTS_ON_FEW})`,
  ].join("|"),
);

const BADGE = /[\\/]web[\\/]ui[\\/](badge|figures[\\/]examples)\./;

/** What `main.tsx` itself needs of modules that few others share. */
const ON_EVERY_FIRST_LOAD = /[\\/]web[\\/](theme|session[\\/](guard|preload)|ui[\\/]toasts[\\/]saved-toast)\./;

/** Contracts, header and cards of the signed-in screens, with what only these need. */
const SIGNED_IN = new RegExp(
  [
    String.raw`[\\/]contract[\\/]([\w-]+[\\/])?(?!${CONTRACTS_ON_FEW}|approvals-limit|auth|endpoint|platform-names|problem|second-step)[\w-]+\.ts`,
    String.raw`[\\/]web[\\/](parts[\\/](stop-switch|twins|waiting)|twins|session[\\/](editor-button|read-only))`,
    String.raw`[\\/]web[\\/]shell[\\/](page|omitted-rows-note|floating-state|header[\\/]header)\.`,
    String.raw`[\\/]web[\\/]ui[\\/](avatar|by-name|use-is-desktop|overlays[\\/](confirm-dialog|tooltip)|layout[\\/]scroll-region|states[\\/](empty-state|read-only)|forms[\\/]textarea)`,
  ].join("|"),
);

/** Files that `index.html` itself loads. */
const LOADED_FIRST = /^assets\/(kit|react|rolldown-runtime|slot|start|visitor-icons)-/;

/** Files that the shell loads, which a signed-in screen is never without, and the screens that are shown without it. */
const LOADED_BY_SHELL =
  /^assets\/(badges|display-values|fields|icons|more-icons|numbers|progress|section-link|sections|workplace)-/;
const WITHOUT_SHELL =
  /^assets\/(shell|landing|login|register|forgot-password|reset-password|confirm-email|invitation|privacy|terms|not-found)/;

function packages(names: string): RegExp {
  return new RegExp(`[\\\\/](${names})[\\\\/]`);
}

/** Languages that have a catalogue beside the Russian sources. */
const LANGUAGES = ["en"];

/** One language: `vite build` makes all of them, `npm run dev` the one that WEB_LANGUAGE names. */
const configIn = (language: string): UserConfig => ({
  root: join(import.meta.dirname, "web"),
  cacheDir: join(import.meta.dirname, ".cache/vite"),
  define: {
    "import.meta.env.PAGE_LANGUAGE": JSON.stringify(language),
    "import.meta.env.TRANSLATED": String(language !== "ru"),
  },
  plugins: [
    dropSummaries(),
    react(),
    tailwindcss(),
    language === "ru" ? [] : translateTo(language),
    dropOldBrowsers(),
    preloadFonts(),
    prerenderLanding(language),
    language === "ru" ? [LANGUAGES.map((other) => alsoBuildIn(other, OUT, () => configIn(other))), packFiles()] : [],
  ],
  // The router brings a stand-in for a hook that React has had since 18.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  server: {
    // The contract lies beside the root.
    fs: { allow: [import.meta.dirname] },
    // With the slash at its end: the module /api.ts is not a call.
    proxy: { "/api/": { target: process.env.API_ORIGIN ?? "http://127.0.0.1:3000", changeOrigin: false } },
  },
  build: {
    // What Tailwind 4 asks for in any case: colours need no copies for browsers that do not know oklch.
    cssTarget: ["chrome111", "edge111", "firefox128", "safari16.4"],
    outDir: language === "ru" ? OUT : join(OUT, language),
    emptyOutDir: true,
    // Other languages use the files of the Russian build.
    copyPublicDir: language === "ru",
    // scripts/first-loads.mjs reads from it what each screen loads.
    manifest: true,
    target: "es2023",
    // A data: URI would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Each screen's list of files would name again those that the application has begun with.
      resolveDependencies: (loaded, files, { hostType }) =>
        hostType === "html"
          ? files
          : files.filter(
              (file) => !LOADED_FIRST.test(file) && (WITHOUT_SHELL.test(loaded) || !LOADED_BY_SHELL.test(file)),
            ),
    },
    rolldownOptions: {
      input: ["index.html", "widget.html"].map((page) => join(import.meta.dirname, "web", page)),
      output: {
        // Every file names those that it imports: 42 bits tell two releases apart, and a character fewer is 0.2 KB of a first load.
        hashCharacters: "hex",
        entryFileNames: "assets/[name]-[hash:8].js",
        chunkFileNames: "assets/[name]-[hash:8].js",
        codeSplitting: {
          groups: [
            // Changes with the dependencies only, so it stays in the browser's cache across releases.
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 20 },
            // What most screens share comes in few requests instead of dozens. Visitors' screens stay in their own files.
            { name: "icons", test: /[\\/]lucide-react[\\/]/, minShareCount: 12, priority: 15 },
            {
              name: "visitor-icons",
              test: /lucide-react.*[\\/](arrow-right|check|eye(-off)?|loader-circle|moon|rotate-cw|sun|triangle-exclamation-point)\.m?js/,
              minShareCount: 2,
              priority: 16,
            },
            { name: "more-icons", test: /[\\/]lucide-react[\\/]/, minShareCount: 4, priority: 14 },
            // Each of these alone would be a file of a few hundred bytes, which pack badly.
            { name: "start", test: ON_EVERY_FIRST_LOAD, priority: 5 },
            { name: "visitors", test: /[\\/]web[\\/]shell[\\/](public|screen-heading)/, minShareCount: 3, priority: 5 },
            {
              name: "sign-in",
              test: /[\\/]web[\\/]auth[\\/](auth-link|return-home|sign(ed)?-in\.)/,
              minShareCount: 2,
              priority: 5,
            },
            { name: "badges", test: BADGE, minShareCount: 3, priority: 11 },
            {
              name: "channels",
              test: /[\\/]web[\\/]parts[\\/](channel-name|connection-(badge|states))\./,
              minShareCount: 3,
              priority: 9,
            },
            {
              name: "fields",
              test: /[\\/]ui[\\/]forms[\\/](checkbox|field|form-error|input|label)\./,
              minShareCount: 3,
              priority: 11,
            },
            // Most screens have a form and a dialog, but a visitor's first one has neither.
            { name: "forms", test: /[\\/](react-hook-form|@hookform)[\\/]/, minShareCount: 3, priority: 15 },
            { name: "dialogs", test: DIALOG_PARTS, minShareCount: 3, priority: 15 },
            // A group takes along what it depends on: what tabs and dialogs share must not bring the dialogs.
            { name: "parts", test: RADIX_PARTS, minShareCount: 3, priority: 16 },
            // A button's part is the only one of Radix that every screen needs.
            { name: "slot", test: /[\\/]@radix-ui[\\/]react-slot[\\/]/, priority: 17 },
            // Every screen counts, also the landing page, which would take along the groups below.
            { name: "numbers", test: /[\\/]web[\\/]i18n[\\/](format|plural)\./, priority: 14 },
            { name: "display-values", test: /[\\/]web[\\/]display-values\./, priority: 14 },
            {
              name: "kit",
              test: (id) => !ON_FEW_FIRST_LOADS.test(id) && !SIGNED_IN.test(id),
              minShareCount: 12,
              priority: 12,
            },
            // What the signed-in screens share: a visitor's first load is none of them.
            { name: "workplace", test: SIGNED_IN, minShareCount: 12, priority: 10 },
          ],
        },
      },
    },
  },
});

export default defineConfig(({ command }) => configIn(command === "serve" ? (process.env.WEB_LANGUAGE ?? "ru") : "ru"));
