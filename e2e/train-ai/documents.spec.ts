// The documents of /train-ai against answers of the test's own: the form, files, the side panel and what cannot be loaded.
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";
import { buildTraining } from "../factories/twin.ts";
import { anna, oleg } from "../knowledge/answering-knowledge.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { databaseAway, fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { answeringTraining } from "./answering-training.ts";

test("the document form says what is missing, sends what section 7 names, and empties itself", async ({ page }) => {
  let sent: unknown;
  await answeringTraining(page, {
    "GET /api/digital-twins": json([anna, oleg]),
    "POST /api/knowledge/upload": (_route, request) => {
      sent = request.postDataJSON();
      return buildDocument(1, { name: "Доставка" });
    },
  });
  await page.goto("/train-ai");
  await expect(page.getByRole("tab", { name: "Документы и знания" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Загрузить документ" }).click();
  for (const message of [
    "Выберите цифрового двойника",
    "Название документа обязательно",
    "Содержимое должно быть минимум 50 символов",
    "Выберите тип документа",
  ]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await page.getByLabel("Цифровой двойник").selectOption({ label: "Олег" });
  await expect(page).toHaveURL(new RegExp(`twin=${oleg.id}`));
  await page.getByLabel("Тип документа").selectOption({ label: "Вопросы и ответы" });
  await page.getByLabel("Название документа").fill("Доставка");
  const content = "Доставка по Москве занимает один-два дня, по России — до недели.";
  await page.getByLabel("Содержимое").fill(content);
  await page.getByLabel("Теги").fill(" доставка, сроки ,, ");
  await page.getByRole("button", { name: "Загрузить документ" }).click();
  await expectToast(page, "Документ загружен!");
  expect(sent).toEqual({
    digitalTwinId: oleg.id,
    name: "Доставка",
    content,
    type: "faq",
    tags: ["доставка", "сроки"],
    status: "processed",
  });
  await expect(page.getByLabel("Название документа")).toHaveValue("");
  await expect(page.getByLabel("Цифровой двойник")).toHaveValue(oleg.id);
});

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

test("a file comes first and fills in the rest of the form, which whoever typed there keeps", async ({ page }) => {
  const sent: string[] = [];
  await answeringTraining(page, {
    "GET /api/digital-twins": json([anna, oleg]),
    "GET /api/knowledge/documents": json([buildDocument(1, { digitalTwinId: oleg.id })]),
    [`GET /api/digital-twins/${oleg.id}/training`]: json(buildTraining()),
    "POST /api/knowledge/upload": (_route, request) => {
      sent.push(request.postData() ?? "");
      return buildDocument(2, { name: "Цены" });
    },
  });
  await page.goto("/train-ai");
  const form = page.getByRole("region", { name: "Загрузить документ" });
  const input = form.locator('input[type="file"]');
  const [drop, text, twin] = await Promise.all([
    form.getByText("Перетащите файлы").boundingBox(),
    form.getByLabel("Содержимое").boundingBox(),
    form.getByLabel("Цифровой двойник").boundingBox(),
  ]);
  expect(drop!.y).toBeLessThan(twin!.y);
  expect(twin!.y).toBeLessThan(text!.y);
  const plain = (name: string, text = "Текст") => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await input.setInputFiles(plain("Прайс_осень.txt"));
  const name = form.getByLabel("Название документа");
  await expect(name).toHaveValue("Прайс осень");
  await expect(form.getByLabel("Тип документа")).toHaveValue("product");
  // The one that was taught last.
  await expect(form.getByLabel("Цифровой двойник")).toHaveValue(oleg.id);
  await expectAccessibleCrosswise(page, "a form that a file has filled in");
  await name.fill("Цены");
  await form.getByRole("button", { name: "Загрузить 1 файл" }).click();
  await expectToast(page, "Документ загружен!");
  for (const value of ["Цены", "product", oleg.id]) expect(sent[0]).toContain(value);
  await expect(name).toHaveValue("");

  // Several have their own names; a file that is taken back takes its name along, and a type that was chosen stays.
  await form.getByRole("button", { name: "Убрать завершённые" }).click();
  await form.getByLabel("Тип документа").selectOption("sales");
  await input.setInputFiles([plain("Правила.txt"), plain("Договор.txt")]);
  await expect(name).toHaveCount(0);
  await form.getByRole("button", { name: "Убрать Договор.txt" }).click();
  await expect(name).toHaveValue("Правила");
  await form.getByRole("button", { name: "Убрать Правила.txt" }).click();
  await expect(name).toHaveValue("");
  await expect(form.getByLabel("Тип документа")).toHaveValue("sales");
});

test("each file has its own fate, and one that failed is sent again alone", async ({ page }) => {
  const tries: string[] = [];
  await answeringTraining(page, {
    "POST /api/knowledge/upload": (route, request) => {
      const body = request.postData() ?? "";
      const name = /filename="([^"]+)"/.exec(body)?.[1] ?? "";
      expect(body).toContain(anna.id);
      tries.push(name);
      if (name === "b.md" && tries.length < 3) return fails(429, "Слишком много запросов")(route, request);
      return buildDocument(tries.length, { name: name });
    },
  });
  await page.goto("/train-ai");
  await page.locator('input[type="file"]').setInputFiles([
    { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("текст") },
    { name: "b.md", mimeType: "text/markdown", buffer: Buffer.from("текст") },
    { name: "c.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
    { name: "d.txt", mimeType: "text/plain", buffer: Buffer.from("") },
  ]);
  const rows = page.getByRole("list", { name: "Выбранные файлы" }).getByRole("listitem");
  await expect(rows.filter({ hasText: "c.exe" })).toContainText("Этот вид файлов не поддерживается");
  await expect(rows.filter({ hasText: "d.txt" })).toContainText("Файл пуст");
  await page.getByRole("button", { name: "Загрузить 2 файла" }).click();
  await expect(page.getByText("Выберите тип документа", { exact: true })).toBeVisible();
  await page.getByLabel("Тип документа").selectOption("product");
  await page.getByRole("button", { name: "Загрузить 2 файла" }).click();
  await expectToast(page, "Ошибка загрузки");
  await expect(rows.filter({ hasText: "a.txt" })).toContainText("загружен");
  await expect(rows.filter({ hasText: "b.md" })).toContainText("Слишком много запросов");
  await page.getByRole("button", { name: "Повторить загрузку b.md" }).click();
  await expect(rows.filter({ hasText: "b.md" })).toContainText("загружен");
  await expectToast(page, "Документ загружен!");
  expect(tries).toEqual(["a.txt", "b.md", "b.md"]);
  await page.getByRole("button", { name: "Убрать завершённые" }).click();
  await expect(rows).toHaveCount(0);
});

test("the side panel lists what is in work and what is newest, opens and deletes it, and leads to the rest", async ({
  page,
}) => {
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
  // The last one is still read: it stands first; the rest stands in «База знаний».
  await expect(panel.getByText("Обработан", { exact: true })).toHaveCount(2);
  await expect(panel.getByRole("listitem")).toHaveText([
    /^Документ 11Вопросы и ответыОбрабатывается/,
    ...[1, 2].map((n) => new RegExp(`^Документ ${n}Вопросы и ответыОбработан`)),
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
  await expect(panel.getByRole("listitem")).toHaveCount(3);

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
