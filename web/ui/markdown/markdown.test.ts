import { expect, test } from "vitest";
import { blocksOf } from "./blocks.ts";
import { inlineOf, safeAddress } from "./inline.ts";

test("headings, lists, tables and quotations are found, and the lines between them stay paragraphs", () => {
  const text = [
    "# Прайс",
    "Торты на заказ,",
    "от 2 кг",
    "- бисквит",
    "- медовик",
    "  с орехами",
    "",
    "3. раз",
    "4) два",
    "| Торт | Цена |",
    "|---|:-:|",
    "| Медовик | 2500 |",
    "> Спасибо!",
    "---",
    "```",
    "# не заголовок",
    "```",
    "#без пробела",
  ].join("\n");
  expect(blocksOf(text)).toEqual([
    { kind: "heading", level: 1, text: "Прайс" },
    { kind: "paragraph", text: "Торты на заказ,\nот 2 кг" },
    { kind: "list", ordered: false, start: 1, items: ["бисквит", "медовик\nс орехами"] },
    { kind: "list", ordered: true, start: 3, items: ["раз", "два"] },
    { kind: "table", head: ["Торт", "Цена"], rows: [["Медовик", "2500"]] },
    { kind: "quote", text: "Спасибо!" },
    { kind: "rule" },
    { kind: "code", text: "# не заголовок" },
    { kind: "paragraph", text: "#без пробела" },
  ]);
});

test("emphasis stands close to its words: signs in sums and names stay letters", () => {
  expect(inlineOf("**Важно:** _до_ `10:00`")).toEqual([
    { kind: "strong", inside: ["Важно:"] },
    " ",
    { kind: "em", inside: ["до"] },
    " ",
    { kind: "code", text: "10:00" },
  ]);
  for (const text of ["2 * 3 * 4", "snake_case_name", "5 ** 2", "[без адреса]", "<b>тег</b>", "один *"]) {
    expect(inlineOf(text).join("")).toBe(text);
  }
  expect(inlineOf("\\*звёздочки\\*").join("")).toBe("*звёздочки*");
});

test("a link leads to a page or a mailbox only; any other address stays text", () => {
  expect(inlineOf("[сайт](https://a.example/x) и https://b.example.")).toEqual([
    { kind: "link", href: "https://a.example/x", inside: ["сайт"] },
    " и ",
    { kind: "link", href: "https://b.example", inside: ["https://b.example"] },
    ".",
  ]);
  expect(safeAddress("mailto:a@b.example")).toBe("mailto:a@b.example");
  for (const bad of ["javascript:alert", "JaVaScRiPt://x", "data:text/html,x", "//a.example", "/x", "vbscript:x"]) {
    expect(safeAddress(bad)).toBeNull();
    expect(inlineOf(`[x](${bad})`).join("")).toBe(`[x](${bad})`);
  }
});

test("a text of signs alone, however long, is read in no time", () => {
  for (const sign of ["*", "_", "**a ", "[", "[a](", "`", "http://", "|", "| -- ", "> ", "\\", "*a _b "]) {
    const began = performance.now();
    for (const block of blocksOf(sign.repeat(200_000))) if ("text" in block) inlineOf(block.text);
    // A quadratic reader takes forty thousand million steps; a busy machine makes a linear one slower, but not as slow.
    expect(performance.now() - began, sign).toBeLessThan(15_000);
  }
});
