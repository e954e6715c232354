// The documents of /train-ai against answers of the test's own: the form, files, the side panel and what cannot be loaded.
// What documents.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";
import { anna } from "../knowledge/answering-knowledge.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { databaseAway, fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { answeringTraining } from "./answering-training.ts";

test("a refused document keeps what was typed, also through a reload", async ({ page }) => {
  await answeringTraining(page, { "POST /api/knowledge/upload": fails(422, "Двойник знает этот документ") });
  await page.goto("/train-ai");
  await expect(page.getByLabel("Цифровой двойник")).toHaveValue(anna.id);
  await page.getByLabel("Тип документа").selectOption("policy");
  await page.getByLabel("Название документа").fill("Возврат");
  await page.getByLabel("Содержимое").fill("Вернуть товар можно в течение четырнадцати дней после покупки.");
  await page.getByRole("button", { name: "Загрузить документ" }).click();
  await expectToast(page, "Ошибка загрузки");
  await expectToast(page, "Двойник знает этот документ");
  await page.reload();
  await expect(page.getByLabel("Название документа")).toHaveValue("Возврат");
  await expect(page.getByLabel("Тип документа")).toHaveValue("policy");
});

test("the side panel lists all documents, what is in work first, opens and deletes them", async ({ page }) => {
  const lines = "Строка правил магазина.\n\n".repeat(60);
  const long = `${lines}Доставка за один день\n\n${lines}`;
  let documents = Array.from({ length: 11 }, (_, place) =>
    buildDocument(place, { name: `Документ ${place + 1}`, status: place === 10 ? "processing" : "processed" }),
  );
  await answeringTraining(page, {
    "GET /api/knowledge/documents": () => documents,
    [`GET /api/knowledge/documents/${uuid(50)}`]: json(
      buildDocument(0, { name: "Документ 1", content: "Весь текст документа" }),
    ),
    [`DELETE /api/knowledge/documents/${uuid(50)}`]: (route) => {
      documents = documents.slice(1);
      return route.fulfill({ status: 204 });
    },
    [`GET /api/knowledge/documents/${uuid(52)}`]: json(buildDocument(2, { name: "Документ 3", content: long })),
    [`GET /api/digital-twins/${anna.id}/search`]: (_route, request) =>
      new URL(request.url()).searchParams.get("q") === "доставка"
        ? [
            {
              kind: "document",
              text: "Доставка за один день",
              name: "Документ 3",
              score: 0.9,
              documentId: uuid(52),
              byEmbedding: true,
            },
            { kind: "message", text: "привезу завтра", name: "Мария", score: 0.5, fromOwner: true },
            { kind: "message", text: "а доставка есть?", name: "Мария", score: 0.4, fromOwner: false },
          ]
        : [],
  });
  await page.goto("/train-ai");
  const panel = page.getByRole("region", { name: "Загруженные документы" });
  // The last one is still read: it stands first.
  await expect(panel.getByText("Обработан", { exact: true })).toHaveCount(10);
  await expect(panel.getByRole("listitem")).toHaveText([
    /^Документ 11Вопросы и ответыОбрабатывается/,
    ...Array.from({ length: 10 }, (_, place) => place + 1).map(
      (n) => new RegExp(`^Документ ${n}Вопросы и ответыОбработан`),
    ),
  ]);
  await expect(panel.getByRole("link", { name: "Все в «Базе знаний»" })).toHaveAttribute(
    "href",
    "/knowledge?tab=documents",
  );
  await panel.getByRole("button", { name: "Документ 1", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("Весь текст документа");
  await expectAccessible(page, "the side panel of documents");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Удалить документ «Документ 1»" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
  await expect(panel.getByRole("button", { name: "Документ 1", exact: true })).toHaveCount(0);
  await expect(panel.getByRole("listitem")).toHaveCount(10);

  const statistics = page.getByRole("region", { name: "Статистика" });
  await expect(statistics).toContainText("Документов10");
  await expect(statistics).toContainText("Двойников1");
  await expect(statistics).toContainText("85%");

  const search = page.getByRole("region", { name: "Что найдёт двойник?" });
  await search.getByRole("searchbox").fill("доставка");
  await search.getByRole("button", { name: "Найти" }).click();
  await expect(search).toContainText("Доставка за один день");
  await expect(search).toContainText("По смыслу");
  await expect(search.getByRole("listitem").filter({ hasText: "привезу завтра" })).toContainText(
    "Вы, в\u00a0переписке «Мария»",
  );
  await expect(search.getByRole("listitem").filter({ hasText: "доставка есть" })).not.toContainText("Вы,");
  await search.getByRole("button", { name: "Показать в документе «Документ 3»" }).click();
  await expect(page.getByRole("dialog").locator("mark")).toHaveText("Доставка за один день");
  await expect(page.getByRole("dialog").locator("mark")).toBeInViewport();
  await expectAccessible(page, "a found chunk in its document");
  await page.keyboard.press("Escape");
  await search.getByRole("searchbox").fill("погода");
  await page.keyboard.press("Enter");
  await expect(search).toContainText("Ничего не нашлось");
  await expect(page).toHaveURL(/q=/);
});

test("what cannot be loaded can be tried again", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 503/);
  const database = databaseAway();
  await answeringTraining(page, {
    "GET /api/digital-twins": database.unlessAway([anna]),
    "GET /api/knowledge/documents": database.unlessAway([]),
  });
  await page.goto("/train-ai");
  await expect(page.getByText("Не удалось загрузить двойников")).toBeVisible();
  await expect(page.getByText("Не удалось загрузить документы")).toBeVisible();
  await expectAccessible(page, "what cannot be loaded can be tried again");
  database.comes();
  const retry = page.getByRole("button", { name: "Повторить" });
  await retry.last().click();
  await retry.click();
  await expect(page.getByText("Документы пока не загружены")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Примеры диалогов" })).toBeVisible();
});
