import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../../..");
const FOLDERS = [".github", "bench", "contract", "deploy", "docs", "e2e", "packages", "scripts", "server", "web"];
const SKIPPED = /(?:^|\/)node_modules\//;

/** Paths of the repository's own files with one of these endings, relative to the root. */
export function repositoryFiles(ending: RegExp): string[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)),
  );
  const atRoot = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  return [...atRoot, ...below].filter((path) => ending.test(path) && !SKIPPED.test(path)).sort();
}
