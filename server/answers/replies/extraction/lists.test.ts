/** Lists, tables and questions in various notations: items, rows and a «Нет.» are each quoted alone. */
import { describe, expect, test } from "vitest";
import { sentencesOf } from "#server/knowledge/documents/chunk-sentences.ts";
import { splitChunks } from "#server/knowledge/documents/split-chunks.ts";
import { questionParts } from "#server/knowledge/language/question/question-parts.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { findAnswer } from "./find-answer.ts";
import { quotationOf } from "./quotation.ts";

const chunksOf = (document: string): ReplyChunk[] =>
  splitChunks(document).map(({ heading, text }, at) => ({
    id: `${at}`,
    documentId: "d",
    name: "Памятка",
    heading: heading ?? "",
    text,
    score: 1,
    sentences: [],
  }));

const said = (document: string, message: string) =>
  findAnswer({ parts: questionParts(message, null), chunks: chunksOf(document), rarity: () => 1, limit: 3 })?.text ??
  "";

const WALKS = ["выгул щенка 300 рублей", "выгул взрослой собаки 450 рублей", "ночёвка у нас дома 1200 рублей"];

describe.each([
  ["- ", "-"],
  ["• ", "bullets"],
  ["•", "bullets without a space"],
  ["◦ ", "round bullets"],
  ["1) ", "numbers with a bracket"],
  ["1)", "numbers with a bracket and no space"],
  ["а) ", "letters"],
  ["", "bare lines"],
])("items in lower case without full stops, marked by «%s» (%s)", (mark) => {
  const marked = (items: readonly string[]) =>
    items.map((item, at) => `${mark.replace("1", `${at + 1}`).replace("а)", `${"абвгд"[at]})`)}${item}`).join("\n");

  test("items are said one by one", () => {
    const price = said(`# Зверобар\n\n${marked(WALKS)}\n`, "сколько стоит выгул щенка");
    expect(price).toContain("300");
    expect(price).not.toMatch(/450|1200/);
  });

  test("items follow the line that announces them, each on a line of its own", () => {
    const things = ["миска и поводок", "привычный корм на всё время", "прививочный паспорт"];
    const list = said(`# Передержка\n\nС собой привезите:\n${marked(things)}\n`, "что привезти с собой на передержку?");
    for (const thing of things) expect(list.split("\n").some((line) => line.includes(thing))).toBe(true);
    expect(list.split("\n").length).toBeGreaterThanOrEqual(things.length);
  });

  test("items are quoted as they stand, however long the list is", () => {
    const many = Array.from(
      { length: 14 },
      (_, at) => `услуга номер ${"абвгдежзиклмно"[at]} для питомцев ${at + 1}00 рублей`,
    );
    const [chunk] = chunksOf(marked([...WALKS, ...many]));
    const quotation = quotationOf(sentencesOf(chunk!.text)[1]!, {
      ...chunk!,
      sentences: sentencesOf(chunk!.text).map((text) => ({ text, score: 1 })),
    });
    expect(quotation!.text).toContain("450");
    for (const line of quotation!.text.split("\n")) expect(line.match(/рублей/g) ?? []).toHaveLength(1);
  });
});

test("a sentence that was wrapped over several lines is one sentence", () => {
  const wrapped =
    "Собаку забираем сами в черте города каждый день с утра и до самого\nвечера, за кольцевой дорогой просим привезти её к нам, потому что\nмашина у нас одна и за день объехать всех она никак не успевает.";
  expect(sentencesOf(wrapped)).toHaveLength(1);
  expect(sentencesOf("Забираем щенка, который\nещё не привит. Дальше.")).toEqual([
    "Забираем щенка, который\nещё не привит.",
    "Дальше.",
  ]);
  expect(sentencesOf("- корм привозите свой, в закрытом\n  пакете\n- миски есть")).toEqual([
    "- корм привозите свой, в закрытом\n  пакете",
    "- миски есть",
  ]);
});

test("the fields of a record are one sentence, also in lower case", () => {
  expect(sentencesOf("порода: шпиц\nстрижка: 1800\nмытьё: 700")).toHaveLength(1);
});

test("a table row is said with its headings and without other rows", () => {
  const table =
    "# Цены\n\n| порода | стрижка | мытьё |\n|---|---|---|\n| шпиц | 1800 | 700 |\n| пудель | 2200 | 900 |\n";
  const price = said(table, "сколько стоит стрижка шпица?");
  expect(price).toContain("стрижка — 1800");
  expect(price).not.toMatch(/2200|900|\|/);
});

test.each([
  "Вопрос: Берёте щенков без прививок?\nОтвет: Нет. Первая прививка нужна за две недели до приезда.\n",
  "Берёте щенков без прививок?\n\nНет. Первая прививка нужна за две недели до приезда.\n",
  "## Берёте щенков без прививок?\n\nНет. Первая прививка нужна за две недели до приезда.\n",
  "**Берёте щенков без прививок?**\nнет. Первая прививка нужна за две недели до приезда.\n",
])("the first word of an answer stays: %j", (document) => {
  expect(said(document, "берёте ли щенков без прививок?")).toMatch(/^нет\..*две недели/iu);
});
