import { readdirSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { expect, test } from "vitest";
import { ERROR_CODES } from "#contract/error-codes.ts";

const SERVER = resolve(import.meta.dirname, "../..");
const sources = readdirSync(SERVER, { recursive: true, encoding: "utf8" })
  .filter(
    (file) => /(?<!\.test|\.d)\.ts$/.test(file) && !file.startsWith(`test${sep}`) && !file.includes(`samples${sep}`),
  )
  .map((file) => ({ file, text: readFileSync(join(SERVER, file), "utf8") }));

const RUSSIAN = /[а-яё]{2}/i;
/** Constructors of `errors.ts`: where among their arguments the code and the sentence stand. */
const CODE_FIRST =
  "invalid|forbidden|conflict|tooLarge|unsupported|unprocessable|tooMany|upstream|outOfSpace|unavailable".split("|");
const SENTENCE_FIRST = { notFound: "not_found", unauthorized: "unauthorized" };
const CALL = new RegExp(
  `(?<![\\w.])(${[...CODE_FIRST, ...Object.keys(SENTENCE_FIRST), "new Problem"].join("|")})\\(`,
  "g",
);

interface Thrown {
  where: string;
  code: string;
  /** As the source has it. */
  sentence: string;
}

/** The arguments of a call that opens before `from`, as the source has them. */
function argumentsAt(text: string, from: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let quote = "";
  let begin = from;
  for (let at = from; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (`"'\``.includes(char)) quote = char;
    else if ("([{".includes(char)) depth++;
    else if ((char === "," || char === ")") && depth === 0) {
      found.push(text.slice(begin, at).trim());
      begin = at + 1;
      if (char === ")") break;
    } else if (")]}".includes(char)) depth--;
  }
  return found.filter((one) => one !== "");
}

/** What a name of the file stands for, where that is a text of its own. */
const constantIn = (text: string, name: string): string | undefined =>
  new RegExp(`const ${name} = "(\\w+)";`).exec(text)?.[1];

const literal = (written: string | undefined): string | undefined => /^"(\w+)"$/.exec(written ?? "")?.[1];

function thrownIn({ file, text }: (typeof sources)[number]): Thrown[] {
  return [...text.matchAll(CALL)].flatMap((call) => {
    const name = call[1]!;
    const given = argumentsAt(text, call.index + call[0].length);
    const [code, sentence] =
      name === "new Problem" ? given.slice(1) : name in SENTENCE_FIRST ? [given[1], given[0]] : given;
    const standard = SENTENCE_FIRST[name as keyof typeof SENTENCE_FIRST];
    const known = literal(code) ?? (code === undefined ? standard : constantIn(text, code));
    const where = `${file}:${text.slice(0, call.index).split("\n").length}`;
    return known === undefined ? [] : [{ where, code: known, sentence: sentence ?? "Не найдено" }];
  });
}

/** Tables from a finding to its code: their file names the type, and each code in it counts. */
function tabledIn({ file, text }: (typeof sources)[number]): Thrown[] {
  if (!/import type \{[^}]*\bErrorCode\b/.test(text) || file === "errors.ts") return [];
  return [...text.matchAll(/"([a-z]+(?:_[a-z]+)*)"/g)].map(([, code]) => ({
    where: file,
    code: code!,
    sentence: text,
  }));
}

/** Whether a sentence is written there, or in what it names: constants and functions of any file. */
function isRussian(sentence: string): boolean {
  if (RUSSIAN.test(sentence)) return true;
  return [...sentence.matchAll(/[A-Za-z_]\w+/g)].some(([name]) =>
    sources.some(({ text }) => {
      const at = text.search(new RegExp(`(?:const|function) ${name}\\b`));
      return at >= 0 && RUSSIAN.test(text.slice(at, at + 1500));
    }),
  );
}

const thrown = sources.flatMap((source) => [...thrownIn(source), ...tabledIn(source)]);

test("every error code of the contract is thrown somewhere in the server", () => {
  const known = new Set(thrown.map(({ code }) => code));
  expect(ERROR_CODES.filter((code) => !known.has(code))).toEqual([]);
});

test("no code is listed twice", () => {
  expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
});

test("nothing throws a code that the contract does not list", () => {
  const listed = new Set<string>(ERROR_CODES);
  expect(thrownOnly().filter(({ code }) => !listed.has(code))).toEqual([]);
});

test("every error has a Russian message", () => {
  expect(thrown.filter(({ sentence }) => !isRussian(sentence)).map(({ where, code }) => `${where} ${code}`)).toEqual(
    [],
  );
});

function thrownOnly(): Thrown[] {
  return sources.flatMap(thrownIn);
}
