/** Decision records have one form, and every reference to one carries the name of a file that exists. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, repositoryFiles } from "./repository-files.ts";

const FOLDER = join(ROOT, "docs/decisions");
const decisions = readdirSync(FOLDER)
  .filter((file) => file !== "README.md")
  .sort()
  .map((file) => {
    const text = readFileSync(join(FOLDER, file), "utf8");
    const [heading = "", blank = "", facts = ""] = text.split("\n");
    return { file, heading, blank, facts, text };
  });
const filesWhere = (broken: (decision: (typeof decisions)[number]) => boolean): string[] =>
  decisions.filter(broken).map(({ file, heading, facts }) => `${file}: ${heading} / ${facts}`);

test("each decision record is headed «# NNN Title» with the number of its file", () => {
  const broken = filesWhere(({ file, heading, blank }) => {
    const number = /^# (\d{3}) \p{L}/u.exec(heading)?.[1];
    return number === undefined || !new RegExp(`^${number}-[a-z0-9-]+\\.md$`).test(file) || blank !== "";
  });
  expect(broken).toEqual([]);
});

test("decision records are numbered from 001 without a gap or a repetition", () => {
  const numbers = decisions.map(({ file }) => file.slice(0, 3));
  expect(numbers).toEqual(numbers.map((_, at) => String(at + 1).padStart(3, "0")));
});

test("the title of a decision record is a noun phrase, not a clause that begins with a question word", () => {
  expect(filesWhere(({ heading }) => /^# \d{3} (?:what|who|how|why|when|where|which)\b/i.test(heading))).toEqual([]);
});

test("each decision record states its date, its status and what it supersedes", () => {
  const form = /^Date: \d{4}-\d{2}-\d{2} · Status: (?:proposed|accepted)\b[^·]* · Supersedes: [^·—\s].*$/;
  expect(filesWhere(({ facts }) => !form.test(facts))).toEqual([]);
});

test("each decision record has context, decision and consequences, on about a page", () => {
  const parts = ["Context", "Decision", "Consequences"];
  const headings = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(filesWhere(({ text }) => headings(text).join() !== parts.join())).toEqual([]);
  expect(filesWhere(({ text }) => text.split(/\s+/).length > 500)).toEqual([]);
});

test("the index of docs/decisions lists every decision record", () => {
  const index = readFileSync(join(FOLDER, "README.md"), "utf8");
  expect(filesWhere(({ file }) => !index.includes(`](${file})`))).toEqual([]);
});

test("every reference to a decision record names a file that exists", () => {
  const missing: string[] = [];
  for (const path of repositoryFiles(/\.(?:[cm]?[jt]sx?|md|sql|ya?ml|sh|css|html|py|conf)$/)) {
    for (const [reference, name] of readFileSync(join(ROOT, path), "utf8").matchAll(/\bdecisions\/(\d{3}[\w.-]*)/g)) {
      const file = name!.replace(/\.$/, "");
      if (!file.endsWith(".md") || !existsSync(join(FOLDER, file))) missing.push(`${path}: ${reference}`);
    }
  }
  expect(missing).toEqual([]);
});
