/** Rules for the migrations of a release. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** Changes that the former release cannot handle: a dropped or renamed name, or a new constraint on values. */
const BREAKS =
  /\b(DROP TABLE|DROP COLUMN|RENAME|SET NOT NULL|DROP DEFAULT|SET DATA TYPE|ADD CONSTRAINT .*(CHECK|UNIQUE)|CREATE UNIQUE INDEX)\b/i;
const TABLE_OF = /^(?:ALTER|DROP) TABLE (?:ONLY |IF EXISTS )?(\w+)\b(?!\.)|^CREATE UNIQUE INDEX \w+ ON (\w+)/i;
const isFilledByWriter = (statement: string): boolean =>
  /\bNOT NULL\b/i.test(statement) && !/\b(DEFAULT|GENERATED)\b/i.test(statement);
/** In order of the migrations, each with the reason why the former release still works. */
const HARMLESS = [
  // The same migration replaces it with a partitioned table of the same name and columns.
  "ALTER TABLE activity RENAME TO activity_before",
  // The new constraint allows more values than before.
  "ALTER TABLE local_models ADD CONSTRAINT local_models_kind CHECK (kind in ('chat', 'embedder', 'reranker', 'speech'))",
  // A new column, null in every row of the former release.
  "CREATE UNIQUE INDEX owner_notices_act_once ON owner_notices USING btree (owner_chat_id,act_id)",
];

const FOLDER = import.meta.dirname;

describe("the migrations", () => {
  test("have one snapshot of the schema, that of the last one", () => {
    const snapshots = readdirSync(join(FOLDER, "meta")).filter((name) => name.endsWith("_snapshot.json"));
    expect(snapshots).toEqual([`${entries.at(-1)?.tag.slice(0, 4)}_snapshot.json`]);
  });

  const { entries } = JSON.parse(readFileSync(join(FOLDER, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  const hashOf = (tag: string) =>
    createHash("sha256")
      .update(readFileSync(join(FOLDER, `${tag}.sql`)))
      .digest("hex");

  test("of a release are as they were released, and new ones come behind them", () => {
    const text = readFileSync(join(FOLDER, "released.json"), "utf8");
    const released = JSON.parse(text) as Record<string, Record<string, string>>;
    const known = Object.values(released).flatMap((files) => Object.entries(files));
    expect(entries.slice(0, known.length).map(({ tag }) => [tag, hashOf(tag)])).toEqual(known);
  });

  test("leave the tables of the last release as its code reads and writes them: both run at once during an update", () => {
    const released = JSON.parse(readFileSync(join(FOLDER, "released.json"), "utf8")) as Record<string, object>;
    const old = new Set(Object.values(released).flatMap((files) => Object.keys(files)));
    const sqlOf = (tag: string) => readFileSync(join(FOLDER, `${tag}.sql`), "utf8").replaceAll(/--(?!> ).*/g, "");
    const tables = new Set<string>();
    const found: string[] = [];
    for (const { tag } of entries) {
      for (const part of sqlOf(tag).split(/--> statement-breakpoint|;/)) {
        const statement = part.trim().replaceAll(/\s+/g, " ").replaceAll('"', "");
        const [, created] = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(statement) ?? [];
        if (created !== undefined && old.has(tag)) tables.add(created);
        const table = TABLE_OF.exec(statement)
          ?.slice(1)
          .find((name) => name !== undefined);
        if (old.has(tag) || table === undefined || !tables.has(table)) continue;
        if (BREAKS.test(statement) || (/ ADD COLUMN /i.test(statement) && isFilledByWriter(statement)))
          found.push(statement);
      }
    }
    expect(tables.size).toBeGreaterThan(50);
    expect(found.map((statement) => statement.slice(0, 80))).toEqual(
      HARMLESS.map((statement) => statement.slice(0, 80)),
    );
  });

  test("are each newer than the one before: an older one would be passed over where that one has run", () => {
    const times = entries.map((entry) => entry.when);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });
});
