/** ARCHITECTURE.md is the first page that a newcomer reads, so it stays short and names only what exists. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../..");
const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
const lines = page.trimEnd().split("\n");
/** The names of the tree with the spaces before them, from `server/` to the next folder of the project. */
const tree = lines.slice(
  lines.indexOf("    server/") + 1,
  lines.findIndex((line) => line.startsWith("    web/  ")),
);
const wingsOfReadme = /^Wings, in order: (.*)$/m.exec(readFileSync(join(ROOT, "server/README.md"), "utf8"))![1]!;

test("ARCHITECTURE.md has at most 200 lines of 100 characters and names no decision by its number", () => {
  expect(lines.length).toBeLessThanOrEqual(200);
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(page).not.toMatch(/\b[01]\d\d\b/);
});

test("every path that ARCHITECTURE.md names exists", () => {
  const paths = [
    ...page.matchAll(
      /`((?:server|web|contract|docs|receiving|incoming|answering|conversation-control|outbox)\/[\w./-]+)`/g,
    ),
  ].map(([, path]) => (/^(?:server|web|contract|docs)\//.test(path!) ? path! : `server/inbox/${path}`));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the tree in ARCHITECTURE.md lists every room of every wing, in the order of its README", () => {
  for (const wing of wingsOfReadme.split(" ")) {
    const readme = readFileSync(join(ROOT, "server", wing, "README.md"), "utf8");
    const rooms = /^Rooms, in order: ([a-z \n-]+)$/m.exec(readme)![1]!.trim().split(/\s+/);
    const from = tree.indexOf(`      ${wing}/`) + 1;
    const to = tree.findIndex((line, at) => at >= from && !line.startsWith("        "));
    const shown = tree.slice(from, to < 0 ? undefined : to).map((line) => /^ +([a-z-]+)/.exec(line)![1]);
    expect([wing, ...shown]).toEqual([wing, ...rooms]);
  }
});
