// Which dependencies the server itself runs on. Run by hand, in an image or on a machine that only serves: takes the others out of
// node_modules, half of its size, and asks no registry.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npm, root, run, say } from "./runtime.mjs";

/** What only the build of the web needs: its result lies in dist/web. */
export const WEB_PACKAGES = [
  "@fontsource-variable/golos-text",
  "@hookform/resolvers",
  "@simplewebauthn/browser",
  "@tailwindcss/vite",
  "@tanstack/react-query",
  "@tanstack/react-virtual",
  "@vitejs/plugin-react",
  "clsx",
  "cmdk",
  "eventsource-parser",
  "lucide-react",
  "radix-ui",
  "react",
  "react-dom",
  "react-hook-form",
  "react-markdown",
  "tailwindcss",
  "uqr",
  "vite",
  "wouter",
];

/** node-llama-cpp takes it where it is there, for commands that the server does not run; so npm keeps it. */
const OPTIONAL_PEERS = ["typescript", "@typescript"];

/** What debuggers and type checks read: half of what a JavaScript package weighs. */
const UNEXECUTED = /\.(?:map|d\.[cm]?ts)$/;

/**
 * The server's own dependencies with their exact versions.
 * @returns {Promise<[name: string, version: string][]>}
 */
export async function serverPackages() {
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return Object.entries(dependencies).filter(([name]) => !WEB_PACKAGES.includes(name));
}

/** npm removes what package.json does not ask for, so it is given one that asks for less; ours is put back whatever happens. */
async function keepServerPackages() {
  const manifest = join(root, "package.json");
  const lock = join(root, "package-lock.json");
  const [whole, locked] = await Promise.all([readFile(manifest), readFile(lock)]);
  const dependencies = Object.fromEntries(await serverPackages());
  try {
    const { devDependencies: _, ...kept } = JSON.parse(whole.toString("utf8"));
    await writeFile(manifest, JSON.stringify({ ...kept, dependencies }));
    const { command, args } = npm();
    const prune = ["prune", "--omit=dev", "--ignore-scripts", "--offline", "--no-audit", "--loglevel=error"];
    const { code, output } = await run(command, [...args, ...prune], { quiet: true });
    say(output.trim());
    if (code !== 0) return code;
  } finally {
    await Promise.all([writeFile(manifest, whole), writeFile(lock, locked)]);
  }
  const modules = join(root, "node_modules");
  await Promise.all(OPTIONAL_PEERS.map((name) => rm(join(modules, name), { recursive: true, force: true })));
  const paths = await readdir(modules, { recursive: true });
  for (const path of paths.filter((path) => UNEXECUTED.test(path)))
    await rm(join(modules, path), { recursive: true, force: true });
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await keepServerPackages();
