/** Markdown of the project can be read in a terminal, and its links lead somewhere. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, repositoryFiles } from "./repository-files.ts";

const WIDTH = 100;
/** Texts of invented businesses are data of the product, not documents of the project. */
const DATA = /^bench\/answers\/bases\/|^server\/demo\/|\/samples\//;
/** The idioms that docs/style.md forbids; quotations and code may hold them. */
const IDIOMS =
  /\b(?:whoever|nobody's|what is told|by itself|by themselves|for good|what becomes of|in which it reads)\b/i;
const documents = repositoryFiles(/\.md$/)
  .filter((path) => !DATA.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** The lines of a text with their numbers, without fenced and indented code. */
function* proseLines(text: string): Generator<{ line: string; number: number }> {
  let isFenced = false;
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    else if (!isFenced && !/^ {4}/.test(line)) yield { line, number: at + 1 };
  }
}

/** The names by which GitHub lets a link lead to a heading. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...proseLines(text)]
      .filter(({ line }) => /^#{1,6} /.test(line))
      .map(({ line }) =>
        line
          .replace(/^#+ /, "")
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, "")
          .replaceAll(" ", "-"),
      ),
  );

test("Markdown wraps at 100 characters, tables, code and single long words excepted", () => {
  const long: string[] = [];
  for (const { path, text } of documents)
    for (const { line, number } of proseLines(text)) {
      const isTable = /^\s*\|/.test(line);
      const isOneWord = !/\S\s+\S/.test(line.trim().replace(/^(?:[-*]|\d+\.|>|#+) /, ""));
      if (!isTable && !isOneWord && [...line].length > WIDTH) long.push(`${path}:${number}`);
    }
  expect(long).toEqual([]);
});

test("links of Markdown lead to files and headings that exist", () => {
  const broken: string[] = [];
  for (const { path, text } of documents) {
    const prose = [...proseLines(text)].map(({ line }) => line).join("\n");
    for (const [, target] of prose.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)) {
      if (/^(?:https?|mailto):/.test(target!)) continue;
      const [file = "", anchor] = decodeURI(target!).split("#");
      const full = file === "" ? join(ROOT, path) : join(ROOT, dirname(path), file);
      const isFound =
        existsSync(full) &&
        (anchor === undefined || !full.endsWith(".md") || anchorsOf(readFileSync(full, "utf8")).has(anchor));
      if (!isFound) broken.push(`${path}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test("paths that documents name exist", () => {
  const missing: string[] = [];
  for (const { path, text } of documents)
    for (const { line, number } of proseLines(text))
      for (const [, named] of line.matchAll(/`((?:server|web|contract|e2e|scripts|deploy|packages|docs)\/[\w./-]*)`/g))
        if (!existsSync(join(ROOT, named!))) missing.push(`${path}:${number}: ${named}`);
  expect(missing).toEqual([]);
});

test("documents avoid the idioms that docs/style.md forbids", () => {
  const found: string[] = [];
  for (const { path, text } of documents) {
    if (path === "docs/style.md") continue;
    for (const { line, number } of proseLines(text)) {
      const [idiom] = IDIOMS.exec(line.replaceAll(/«[^»]*»|`[^`]*`/g, "")) ?? [];
      if (idiom !== undefined) found.push(`${path}:${number}: ${idiom}`);
    }
  }
  expect(found).toEqual([]);
});
