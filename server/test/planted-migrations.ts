/** Folders of migrations for tests of upgrades: the product's with more behind them, or only the first of them. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { MIGRATIONS } from "#server/platform/db/database.ts";

interface Entry {
  idx: number;
  when: number;
  tag: string;
}

/** @param planted statements by tag, in their order */
export const withMigrations = (planted: Record<string, string>): Promise<string> =>
  changedFolder(async (folder, entries) => {
    const all = [...entries];
    for (const [tag, statements] of Object.entries(planted)) {
      const last = all.at(-1)!;
      all.push({ ...last, idx: last.idx + 1, when: last.when + 1000, tag });
      await writeFile(join(folder, `${tag}.sql`), statements);
    }
    return all;
  });

/** All but the last `count`. */
export const withoutLast = (count: number): Promise<string> =>
  changedFolder(async (_, entries) => entries.slice(0, -count));

/** Those before the one of this name, whatever its number is. */
export const before = (name: string): Promise<string> =>
  changedFolder(async (_, entries) => {
    const at = entries.findIndex(({ tag }) => tag.replace(/^\d+_/, "") === name);
    if (at === -1) throw new Error(`No migration ${name}`);
    return entries.slice(0, at);
  });

async function changedFolder(change: (folder: string, entries: Entry[]) => Promise<Entry[]>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dt-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(MIGRATIONS, folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const { entries, ...rest } = JSON.parse(await readFile(path, "utf8")) as { entries: Entry[] };
  await writeFile(path, JSON.stringify({ ...rest, entries: await change(folder, entries) }));
  return folder;
}
