// A picture or a recording that is a document: what is seen of it while it is read, and after.
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringKnowledge } from "./answering-knowledge.ts";
import { document, NAME, original, PICTURE, PRICES } from "./originals-parts.ts";

test("a picture is being read, then waits with its text beside it until somebody says that it is right", async ({
  page,
}) => {
  let now = document("processing", "", original({ state: "waiting", confidence: null }));
  const saved: unknown[] = [];
  await answeringKnowledge(page, {
    "GET /api/knowledge/documents": () => [{ ...now, original: undefined }],
    [`GET /api/knowledge/documents/${uuid(51)}`]: () => now,
    [`PUT /api/knowledge/documents/${uuid(51)}`]: (_route, request) => {
      saved.push(request.postDataJSON());
      now = { ...now, status: "processed" };
      return now;
    },
    [`GET /api/media/${uuid(801)}`]: (route) => route.fulfill({ status: 200, contentType: "image/png", body: PICTURE }),
    "GET /api/knowledge/uses": () => ({ uses: [], atLeast: false }),
  });
  await page.goto("/knowledge?tab=documents");
  const row = page.getByRole("region", { name: "Документы" }).getByRole("listitem");
  await expect(row).toContainText("Обрабатывается");
  await page.getByRole("button", { name: NAME, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Распознаём...");
  await expect(dialog).toContainText("Текст появится здесь сам");
  await expect(dialog.getByRole("button", { name: "Изменить" })).toHaveCount(0);
  now = document("unsure", PRICES, original());
  await expect(dialog.getByRole("img", { name: NAME })).toBeVisible();
  await expect(dialog).toContainText("Распознано неуверенно (42%): проверьте по картинке");
  await expect(dialog.getByRole("region", { name: "Текст документа" })).toContainText("Чехол кожаный 2400");
  await expectAccessibleCrosswise(page, "a picture that is a document");
  await dialog.getByRole("button", { name: "Всё верно" }).click();
  await expect(dialog.getByRole("button", { name: "Всё верно" })).toHaveCount(0);
  expect(saved).toEqual([{ name: NAME, content: PRICES, version: "1" }]);
});
