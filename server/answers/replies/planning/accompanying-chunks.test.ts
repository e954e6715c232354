import { expect, test } from "vitest";
import { fixedIndex } from "#server/knowledge/search/fixed-index.ts";
import { QUESTION_ABOUT_DELIVERY } from "#server/test/factories/reply-request.ts";
import { buildRecordPrompt } from "../record/record-prompt.ts";
import { accompanyingChunks } from "./accompanying-chunks.ts";
import { toChunk } from "./find-knowledge.ts";

const STRANGER = { kind: "stranger" } as const;
const sections = (titles: readonly string[]) =>
  titles.map((title) => `# ${title}\n${title} выдаём на сутки под залог.`);
const index = fixedIndex([
  { name: "Прокат.md", content: sections(["Байдарка", "Палатка", "Котелок", "Спальник"]).join("\n\n") },
  {
    name: "О нас.md",
    content:
      "# Связь\nТелефон +7 915 000-11-22, почта lodka@example.test.\n\n# Время\nОткрыто с вторника по субботу, 9:00–18:00.",
  },
  { name: "Хранение.md", content: sections(["Телефон кладите в гермомешок", "Лыжи"]).join("\n\n") },
]);

async function found(query: string, limit: number) {
  return (await index.search({ audience: STRANGER, query, kinds: ["chunk"], limit, sentences: false })).map(toChunk);
}
const headings = (chunks: readonly { heading: string }[]) => chunks.map(({ heading }) => heading);

test("contacts, opening hours and the text around a hit stand beside what was found", async () => {
  const hits = await found("палатка", 1);
  const { standing, neighbours } = await accompanyingChunks(index, STRANGER, hits);
  // «Телефон кладите в гермомешок» has the word but no number.
  expect(headings(standing)).toEqual(["Связь", "Время"]);
  expect(headings(neighbours)).toEqual(["Байдарка", "Котелок"]);
});

test("what was found is not repeated beside itself", async () => {
  const { standing, neighbours } = await accompanyingChunks(
    index,
    STRANGER,
    await found("телефон палатка байдарка", 6),
  );
  expect(headings(standing)).not.toContain("Связь");
  expect(headings(neighbours)).toEqual(["Котелок", "Лыжи"]);
});

test("a question that shares no word with the documents still gets the contacts", async () => {
  expect(await found("do you rent bikes", 6)).toEqual([]);
  expect(headings((await accompanyingChunks(index, STRANGER, [])).standing)).toEqual(["Связь", "Время"]);
});

test("the prompt shows the pieces of a document in the order of the document, and drops neighbours first", async () => {
  const chunks = await found("котелок палатка", 2);
  const accompanying = await accompanyingChunks(index, STRANGER, chunks);
  const request = { ...QUESTION_ABOUT_DELIVERY, chunks, accompanying, replyExamples: [] };
  const shown = (room: number) => headings(buildRecordPrompt(request, room).sources);
  expect(shown(20_000)).toEqual(["Байдарка", "Палатка", "Котелок", "Спальник", "Связь", "Время"]);
  expect(shown(330)).toEqual(["Палатка", "Котелок", "Связь", "Время"]);
});
