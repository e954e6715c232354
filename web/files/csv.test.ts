import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

const rowsOf = (csv: string) => csv.slice(1).split("\r\n");

test("a table has a byte order mark, a header, commas between cells and a line end after every row", () => {
  expect(
    csvOf(
      ["Имя", "Сообщений"],
      [
        ["Анна", 12],
        ["Олег", null],
      ],
    ),
  ).toBe("\uFEFFИмя,Сообщений\r\nАнна,12\r\nОлег,\r\n");
});

test.each([
  ['Сказал: "да"', '"Сказал: ""да"""'],
  ["раз, два", '"раз, два"'],
  ["раз\nдва", '"раз\nдва"'],
  ["раз; два", '"раз; два"'],
  [" с пробелом", '" с пробелом"'],
  ["просто", "просто"],
])("%j is written as %s", (value, expected) => {
  expect(csvOf(["a"], [[value]])).toBe(`\uFEFFa\r\n${expected}\r\n`);
});

test.each([
  "=1+1",
  "+7 900 123-45-67",
  "-2",
  "@SUM(A1)",
  "  =HYPERLINK(1)",
  "\t=1",
  "\r=1",
  "＝1",
  '=cmd|"/c calc"!A1',
])("%j is text for a spreadsheet, no formula", (value) => {
  const cell = rowsOf(csvOf(["a"], [[value]]))
    .slice(1)
    .join("\r\n");
  expect(cell.replace(/^"/, "").startsWith("'")).toBe(true);
});

test("numbers stay numbers, even negative ones", () => {
  expect(rowsOf(csvOf(["a"], [[-2.5]]))[1]).toBe("-2.5");
});
