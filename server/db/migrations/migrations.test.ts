/** What a release promises of its migrations. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const FOLDER = import.meta.dirname;

describe("the migrations", () => {
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

  test("are each newer than the one before: an older one would be passed over where that one has run", () => {
    const times = entries.map((entry) => entry.when);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });
});
