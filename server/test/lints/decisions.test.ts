/** Decisions are looked up by number and title, so each has the same head: number, title, date, status, and what it supersedes. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const FOLDER = resolve(import.meta.dirname, "../../../docs/decisions");
const decisions = readdirSync(FOLDER)
  .sort()
  .map((file) => {
    const [heading = "", blank = "", facts = ""] = readFileSync(join(FOLDER, file), "utf8").split("\n");
    return { file, heading, blank, facts };
  });
const filesWhere = (broken: (decision: (typeof decisions)[number]) => boolean): string[] =>
  decisions.filter(broken).map(({ file, heading, facts }) => `${file}: ${heading} / ${facts}`);

test("each decision is headed «# 0NN Title» with the number of its file", () => {
  expect(decisions.length).toBeGreaterThan(70);
  const broken = filesWhere(({ file, heading, blank }) => {
    const number = /^# (\d{3}) \p{L}/u.exec(heading)?.[1];
    return number === undefined || !new RegExp(`^${number}-[a-z0-9-]+\\.md$`).test(file) || blank !== "";
  });
  expect(broken).toEqual([]);
});

test("a title is a noun, not a clause that begins with a question word", () => {
  expect(filesWhere(({ heading }) => /^# \d{3} (?:what|who|how|why|when|where|which)\b/i.test(heading))).toEqual([]);
});

test("each decision says its date, its status and what it supersedes", () => {
  const form = /^Date: \d{4}-\d{2}-\d{2} · Status: (?:proposed|accepted|superseded)\b[^·]* · Supersedes: [^·—\s].*$/;
  expect(filesWhere(({ facts }) => !form.test(facts))).toEqual([]);
});

test("no two decisions have the same number, so that a reference means one of them", () => {
  const numbers = decisions.map(({ file }) => file.slice(0, 3));
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});
