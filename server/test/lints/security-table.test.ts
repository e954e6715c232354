import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/security.md"), "utf8");

/** `file` «title», «title» … as the page writes it; the titles belong to the file before them. */
function* namedTests(): Generator<{ file: string; title: string | null }> {
  for (const [, file, titles] of page.matchAll(
    /`([\w./-]+(?:\.(?:test|spec)|\/describe-[\w-]+)\.ts)`((?:,? ?«[^»]+»)*)/g,
  )) {
    const all = [...titles!.matchAll(/«([^»]+)»/g)].map(([, title]) => title!);
    if (all.length === 0) yield { file: file!, title: null };
    for (const title of all) yield { file: file!, title };
  }
}

test("every test that docs/security.md names exists under that title", () => {
  const named = [...namedTests()];
  expect(named.length).toBeGreaterThan(40);
  const missing = named.filter(({ file, title }) => {
    const path = join(root, file);
    return !existsSync(path) || (title !== null && !readFileSync(path, "utf8").includes(title));
  });
  expect(missing).toEqual([]);
});
