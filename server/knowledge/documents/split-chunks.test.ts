import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sentenceSpans } from "#server/knowledge/language/sentences.ts";
import { startCpuTime } from "#server/test/cpu-time.ts";
import { randomRuns } from "#server/test/random-runs.ts";
import { splitChunks } from "./split-chunks.ts";

const sentence = (number: number, words = 20) => `Предложение номер ${number} ${"слово ".repeat(words - 4)}конец.`;
const prose = (sentences: number, words = 20) =>
  Array.from({ length: sentences }, (_, at) => sentence(at, words)).join(" ");
const count = (text: string) => text.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
const brief = (text: string) => splitChunks(text).map(({ heading, text: said }) => [heading, said]);

describe("splitting a document into chunks", () => {
  test("prose is split between sentences into 120–200 words, each chunk beginning with the last sentence of the previous one", () => {
    const chunks = splitChunks(prose(40));
    expect(chunks.length).toBeGreaterThan(3);
    for (const [at, { text, ordinal }] of chunks.entries()) {
      expect(ordinal).toBe(at);
      expect(count(text)).toBeLessThanOrEqual(200);
      if (at < chunks.length - 1) expect(count(text)).toBeGreaterThanOrEqual(120);
      const sentences = sentenceSpans(text);
      if (at > 0) expect(chunks[at - 1]!.text.endsWith(sentences[0]!.text)).toBe(true);
      expect(text).toMatch(/^Предложение .* конец\.$/s);
    }
  });

  test("the headings above a chunk are kept apart from its text", () => {
    expect(brief("# Правила\n\nОбщее.\n\n## Доставка\n\nЗа день.\n\n### Цены\n350 руб.\n## Возврат\n14 дней.")).toEqual(
      [
        ["Правила", "Общее."],
        ["Правила › Доставка", "За день."],
        ["Правила › Доставка › Цены", "350 руб."],
        ["Правила › Возврат", "14 дней."],
      ],
    );
    expect(brief("ДОСТАВКА И ОПЛАТА\n\nЗа день.\n\nВозврат\n-------\n14 дней.")).toEqual([
      ["ДОСТАВКА И ОПЛАТА", "За день."],
      ["Возврат", "14 дней."],
    ]);
  });

  test("a heading with nothing under it is kept as a chunk", () => {
    expect(brief("# Правила\n## Доставка бесплатно\n## Возврат\n14 дней.")).toEqual([
      ["Правила", "## Доставка бесплатно"],
      ["Правила › Возврат", "14 дней."],
    ]);
  });

  test("a list with its introduction, a table and the rows of a CSV stay whole", () => {
    const list = `Для возврата нужно:\n\n${Array.from({ length: 12 }, (_, at) => `- пункт ${at} ${"и ещё ".repeat(3)}`.trim()).join("\n")}`;
    const table = Array.from({ length: 30 }, (_, at) => `Товар ${at} | ${at} руб.`).join("\n");
    const row = (at: number) => `Имя: Анна ${at}\nГород: Москва\nЗаметка: ${"слово ".repeat(30).trim()}`;
    const chunks = splitChunks(
      `${prose(6)}\n\n${list}\n\n${prose(6)}\n\n${table}\n\n${prose(3)}\n\n${[1, 2, 3, 4, 5, 6].map(row).join("\n\n")}`,
    );
    for (const whole of [list, table, ...[1, 2, 3, 4, 5, 6].map(row)]) {
      expect(chunks.filter(({ text }) => text.includes(whole)).length, whole.slice(0, 30)).toBe(1);
    }
    for (const { text } of chunks) expect(count(text)).toBeLessThanOrEqual(200);
  });

  test("a list that is too long is divided between its items", () => {
    const items = Array.from({ length: 60 }, (_, at) => `${at + 1}. пункт ${"слово ".repeat(10).trim()}`);
    const chunks = splitChunks(items.join("\n"));
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.flatMap(({ text }) => text.split("\n"))).toEqual(items);
  });

  test("a question stays with its answer", () => {
    const marked = Array.from(
      { length: 12 },
      (_, at) => `Вопрос: Можно ли ${at}?\nОтвет: ${sentence(at, 25)} ${sentence(at, 12)}`,
    );
    const plain = Array.from(
      { length: 12 },
      (_, at) => `Сколько стоит номер ${at}?\n\n${sentence(at, 25)} ${sentence(at, 12)}`,
    );
    for (const pairs of [marked, plain]) {
      const chunks = splitChunks(pairs.join("\n\n"));
      for (const pair of pairs)
        expect(
          chunks.some(({ text }) => text.includes(pair)),
          pair.slice(0, 40),
        ).toBe(true);
      expect(chunks.length).toBeLessThan(8);
    }
  });

  test("text without punctuation is cut between words", () => {
    const chunks = splitChunks("слово ".repeat(3000));
    expect(chunks.length).toBeGreaterThan(10);
    for (const { text } of chunks) expect(count(text)).toBeLessThanOrEqual(200);
    for (const { text } of splitChunks("ы".repeat(100_000))) expect(text.length).toBeLessThanOrEqual(8000);
    expect(
      splitChunks("ы".repeat(100_000))
        .map(({ text }) => text)
        .join(""),
    ).toBe("ы".repeat(100_000));
  });

  test("chunks are pieces of the text, in order, and nothing visible is lost", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "# Заголовок\n",
        "## Ещё\n\n",
        "\n\n",
        "\n",
        "- пункт\n",
        "1. раз\n",
        "a | b\n",
        "Имя: Анна\n",
        "Нужно:\n",
        "Вопрос: да?\n",
        "Ответ: нет.\n",
        "Сколько?\n",
        "КАПС\n",
        "---\n",
        "===\n",
        "#\n",
        "😀",
      ),
      fc.integer({ min: 1, max: 30 }).map((words) => `${sentence(1, words + 4)} `),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
        const text = parts.join("");
        const seen = new Uint8Array(text.length);
        let last = -1;
        for (const { text: said, start, end, heading } of splitChunks(text)) {
          expect(text.slice(start, end)).toBe(said);
          expect(said.trim()).toBe(said);
          expect(said).not.toBe("");
          expect(start).toBeGreaterThan(last);
          last = start;
          seen.fill(1, start, end);
          if (heading !== null) expect(heading).not.toBe("");
        }
        const headings = splitChunks(text)
          .map(({ heading }) => heading ?? "")
          .join("\n");
        for (const line of [...text].length < 5000 ? text.split("\n") : []) {
          const at = text.indexOf(line);
          const title = line
            .replace(/^ {0,3}#{1,6}\s+/, "")
            .replace(/\s*#*\s*$/, "")
            .trim();
          if (/[\p{L}\p{N}]/u.test(title) && seen.subarray(at, at + line.length).every((mark) => mark === 0))
            expect(headings).toContain(title.slice(0, 100));
        }
      }),
      { numRuns: randomRuns(300) },
    );
  });

  test("half a million characters are split within the time limit", () => {
    const text = prose(4000);
    const cpuMs = startCpuTime();
    expect(splitChunks(text).length).toBeGreaterThan(300);
    expect(cpuMs()).toBeLessThan(3000);
  });
});
