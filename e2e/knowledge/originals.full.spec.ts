// A picture or a recording that is a document: what is seen of it while it is read, and after.
// What originals.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { fails } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";
import { answeringKnowledge } from "./answering-knowledge.ts";
import { document, NAME, original, PICTURE, PRICES } from "./originals-parts.ts";

test("what could not be read says why, and takes a short text", async ({ page }) => {
  const note = "Слов в записи не слышно.";
  let now = document("failed", "", original({ kind: "speech", confidence: null, note, seconds: 12 }));
  await answeringKnowledge(page, {
    "GET /api/knowledge/documents": () => [{ ...now, original: undefined }],
    [`GET /api/knowledge/documents/${uuid(51)}`]: () => now,
    [`PUT /api/knowledge/documents/${uuid(51)}`]: (_route, request) => {
      const { content } = request.postDataJSON() as { content: string };
      now = { ...now, status: "processed", content, version: "2" };
      return now;
    },
    "GET /api/knowledge/uses": () => ({ uses: [], atLeast: false }),
  });
  await page.goto("/knowledge?tab=documents");
  await page.getByRole("button", { name: NAME, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(note);
  await expect(dialog.getByRole("button", { name: `${NAME}, 0:12` })).toBeVisible();
  await dialog.getByRole("button", { name: "Ввести текст" }).click();
  await dialog.getByLabel("Содержимое").fill("Чехол 1200");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog.getByRole("region", { name: "Текст документа" })).toContainText("Чехол 1200");
});

test("what was read unsurely is read again from its row and from its window; a refusal is said, and what is no surer keeps its text", async ({
  page,
}) => {
  let now = document("unsure", PRICES, original());
  const asked: string[] = [];
  await answeringKnowledge(page, {
    "GET /api/knowledge/documents": () => [{ ...now, original: undefined }],
    [`GET /api/knowledge/documents/${uuid(51)}`]: () => now,
    [`POST /api/knowledge/documents/${uuid(51)}/read`]: (route, request) => {
      asked.push("read");
      if (asked.length === 1) return fails(409, "Чтение картинок выключено")(route, request);
      now = document("processing", PRICES, original({ state: "waiting" }));
      return now;
    },
    [`GET /api/media/${uuid(801)}`]: (route) => route.fulfill({ status: 200, contentType: "image/png", body: PICTURE }),
    "GET /api/knowledge/uses": () => ({ uses: [], atLeast: false }),
  });
  await page.goto("/knowledge?tab=documents");
  const row = page.getByRole("region", { name: "Документы" }).getByRole("listitem");
  await row.getByRole("button", { name: `Прочитать ещё раз «${NAME}»` }).click();
  await expect(toast(page)).toContainText("Чтение картинок выключено");
  await expectAccessibleCrosswise(page, "a row that can be read again");
  await row.getByRole("button", { name: `Прочитать ещё раз «${NAME}»` }).click();
  await expect(row).toContainText("Обрабатывается");
  await expect(row.getByRole("button", { name: /Прочитать ещё раз/ })).toHaveCount(0);
  now = document("unsure", PRICES, original({ note: "Увереннее прочитать не вышло." }));
  await page.getByRole("button", { name: NAME, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Увереннее прочитать не вышло. Прежний текст остался.");
  await expectAccessibleCrosswise(page, "a picture that was read twice");
  await dialog.getByRole("button", { name: "Прочитать ещё раз" }).click();
  await expect(dialog).toContainText("Распознаём...");
  now = document("processed", PRICES, original({ confidence: 0.93, sure: true }));
  await expect(dialog).toContainText("Распознано, уверенность 93%");
  await expect(dialog.getByRole("button", { name: "Прочитать ещё раз" })).toHaveCount(0);
  expect(asked).toHaveLength(3);
});
