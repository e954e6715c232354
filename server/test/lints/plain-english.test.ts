/** Comments and test titles are plain sentences in the field's words (CONTRIBUTING.md): idioms that readers must decode are refused. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { ROOT } from "./expressions/find-expressions.ts";

const FORBIDDEN: readonly (readonly [idiom: RegExp, instead: string])[] = [
  [/\bwho(?:m|so)?ever\b/i, "name the person: the caller, a user, the sender"],
  [/\b(?:nobody|somebody|everybody|anybody)['’]s\b/i, "name the owner of the thing"],
  [/\bfor nobody\b/i, "say what is not done"],
  [/\b(?:is|are|be) told\b(?! (?:apart|from)\b)/i, "is notified, is shown, receives"],
  [/\bby (?:itself|themselves)\b/i, "automatically, alone, without help"],
  [/\bfor good\b/i, "permanently"],
  [/\b(?:becomes?|became|become) of\b/i, "name the outcome: the result, the state"],
  [/(?:^|[.!?*] )In which it\b/, "write a sentence with its noun"],
  [/\bgo(?:es)? without saying\b/i, "say it, or leave it out"],
];

/** Finds each idiom wherever it stands in a file, so that only the few files that may hold one have to be parsed. */
const ANYWHERE = new RegExp(FORBIDDEN.map(([idiom]) => idiom.source.replace(/^\(\?:\^\|.*? \)/, "")).join("|"), "i");

/** Titles that docs/security.md quotes word for word (security-table.test.ts): page and test have to change together. */
const QUOTED_TITLES = [...readFileSync(join(ROOT, "docs/security.md"), "utf8").matchAll(/«([^»]+)»/g)].map(
  ([, title]) => title!,
);

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

function calledName(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === "Identifier") return String(callee.name);
  if (callee.type === "MemberExpression") return calledName(callee.object);
  return callee.type === "CallExpression" ? calledName(callee.callee) : undefined;
}

/** The first argument of `test`, `it` and `describe`, also of `test.each(…)(…)`, as far as it is written out. */
function titlesOf(program: unknown): { start: number; text: string }[] {
  const titles: { start: number; text: string }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    if (!isNode(value)) return;
    if (value.type === "CallExpression" && /^(?:test|it|describe)$/.test(calledName(value.callee) ?? "")) {
      const [title] = value.arguments as Node[];
      if (title?.type === "Literal") titles.push({ start: title.start, text: String(title.value) });
      if (title?.type === "TemplateLiteral") {
        const quasis = title.quasis as { value: { raw: string } }[];
        titles.push({ start: title.start, text: quasis.map(({ value }) => value.raw).join("{}") });
      }
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(program);
  return titles;
}

const unwrapped = (text: string): string => text.replaceAll(/\s*\n\s*\*?\s*/g, " ");

/** @param file determines by its extension how `code` is parsed */
function findIdioms(file: string, code: string): string[] {
  if (!ANYWHERE.test(unwrapped(code))) return [];
  const { program, comments } = parseSync(file, code, {});
  const texts = comments.map(({ start, value }) => ({ start, text: unwrapped(value) }));
  if (/\.(?:test|spec)\.\w+$|bench\.ts$|parts\.ts$/.test(file)) {
    texts.push(...titlesOf(program).filter(({ text }) => !QUOTED_TITLES.some((title) => text.includes(title))));
  }
  return texts.flatMap(({ start, text }) =>
    FORBIDDEN.filter(([idiom]) => idiom.test(text)).map(
      ([idiom, instead]) =>
        `${file}:${code.slice(0, start).split("\n").length}: «${idiom.exec(text)?.[0]}»: ${instead}`,
    ),
  );
}

test("comments and test titles contain no forbidden idiom", () => {
  const folders = "{bench,contract,e2e,packages,scripts,server,web}";
  const files = globSync(`${folders}/**/*.{ts,tsx,mjs}`, {
    cwd: ROOT,
    exclude: (path) => path.includes("node_modules"),
  });
  const found = files.flatMap((file) => findIdioms(file, readFileSync(join(ROOT, file), "utf8")));
  expect(found).toEqual([]);
});

test("an idiom is found in a comment and in a title, and data is left alone", () => {
  const code = 'const owner = "whoever"; // It ends by itself.\ntest("nobody\'s", () => {});';
  expect(findIdioms("a.test.ts", code).map((line) => line.split("»")[0])).toEqual([
    "a.test.ts:1: «by itself",
    "a.test.ts:2: «nobody's",
  ]);
});
