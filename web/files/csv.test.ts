import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

const lineOf = (csv: string) => csv.slice(1).split("\r\n")[1];

test("a table has a byte order mark, a header, quoted cells between commas and a line end after every row", () => {
  const rows = [
    ["Анна", 12],
    ["Олег", null],
  ];
  expect(csvOf(["Имя", "Сообщений"], rows)).toBe('\uFEFF"Имя","Сообщений"\r\n"Анна","12"\r\n"Олег",""\r\n');
});

test.each([
  ['Сказал: "да"', '"Сказал: ""да"""'],
  ["раз, два", '"раз, два"'],
  ["раз\r\nдва\rтри", '"раз\nдва\nтри"'],
  ["раз\tдва\u0000", '"раз два "'],
  [" с пробелом", '" с пробелом"'],
  ["a-b=c@d+e", '"a-b=c@d+e"'],
  ["+7 900 123-45-67", '"\'+7 900 123-45-67"'],
  ["список:\n- раз", '"список:\n\'- раз"'],
])("%j is written as %s", (value, expected) => {
  expect(csvOf(["a"], [[value]])).toBe(`\uFEFF"a"\r\n${expected}\r\n`);
});

test("numbers stay numbers, even negative ones", () => {
  expect(lineOf(csvOf(["a"], [[-2.5]]))).toBe('"-2.5"');
});

/**
 * Parses a table like a spreadsheet: a quotation mark inside an unquoted cell is text, or with `reopens` begins a
 * quoted part again.
 */
function readCsv(csv: string, separator: string, reopens: boolean): string[] {
  const cells: string[] = [];
  let cell = "";
  let state: "begin" | "quoted" | "plain" = "begin";
  const end = () => {
    cells.push(cell);
    cell = "";
    state = "begin";
  };
  for (let at = 0; at < csv.length; at++) {
    const char = csv[at]!;
    if (state === "quoted") {
      if (char !== '"') cell += char;
      else if (csv[at + 1] === '"') cell += csv[++at];
      else state = "plain";
    } else if (char === '"' && (state === "begin" || reopens)) {
      state = "quoted";
    } else if (char === separator || char === "\n" || char === "\r") {
      end();
    } else {
      cell += char;
      state = "plain";
    }
  }
  end();
  return cells;
}

const SIGNS = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];
const BEFORE = [
  ...["", " ", "\t", "\r", "\n", "\r\n", "\u00a0", "\u200b", "\ufeff", "\v", '"', '""', "'"],
  ...["a;", "a,", "a\t", "a\n", "a\r", "a;;", "a; ", "a;\t", "a;\u200b", 'a;"', 'a";', 'a";"', 'a;""', 'a,"'],
  ...['a","', 'a";"b;', 'a"\r\n', 'a"\r\n"', "a\u2028", 'a"";""'],
];
const HOSTILE = BEFORE.flatMap((before) => SIGNS.map((sign) => `${before}${sign}cmd|'/c calc'!A1`));

test("no cell begins like a formula, whichever separator a spreadsheet cuts at and however it reads quotation marks", () => {
  const found: string[] = [];
  for (const value of HOSTILE) {
    for (const row of [[value], ["Анна", value], [value, "Анна"], [value, value], ["a;b", value, "c"]]) {
      const csv = csvOf(["Имя"], [row]).slice(1);
      for (const separator of [",", ";", "\t"]) {
        for (const reopens of [false, true]) {
          for (const cell of readCsv(csv, separator, reopens)) {
            // Spreadsheets trim these characters, including invisible ones, before they parse a cell.
            const seen = cell.replace(/^[\s"\p{Cf}\p{Cc}]+/u, "");
            if (SIGNS.includes(seen[0] ?? "") || /^[\t\r]/.test(cell))
              found.push(JSON.stringify([csv, separator, cell]));
          }
        }
      }
    }
  }
  expect(found).toEqual([]);
});

test("read with its own separator, a table has its cells, and an apostrophe at most is added", () => {
  for (const value of HOSTILE) {
    const [, name, cell] = readCsv(
      csvOf(["Имя"], [["Анна", value]])
        .slice(1)
        .replaceAll("\r\n", "\n"),
      ",",
      false,
    );
    const plain = (text: string) => text.replace(/[\s\p{Cc}']/gu, "");
    expect([name, plain(cell!)]).toEqual(["Анна", plain(value)]);
  }
});
