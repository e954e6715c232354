// The documents of /train-ai against answers of the test's own: the form, files, the side panel and what cannot be loaded.
import { buildDocument } from "../factories/knowledge.ts";
import { buildTraining } from "../factories/twin.ts";
import { anna, oleg } from "../knowledge/answering-knowledge.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { fails, json } from "../support/answers.ts";
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

test("a file comes first and fills in the rest of the form, but keeps what the user typed", async ({ page }) => {
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

test("each of several files has its own guessed type, and one for all is asked for only where a file has none", async ({
  page,
}) => {
  const sent: string[] = [];
  await answeringTraining(page, {
    "POST /api/knowledge/upload": (_route, request) => {
      sent.push(request.postData() ?? "");
      return buildDocument(sent.length, { name: `Документ ${sent.length}` });
    },
  });
  await page.goto("/train-ai");
  const input = page.locator('input[type="file"]');
  const plain = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("Текст") });
  await input.setInputFiles(["Прайс.txt", "Правила.txt", "Заметки.txt"].map(plain));
  const typeOf = (name: string) => page.getByLabel(`Тип файла ${name}`);
  const common = page.getByLabel("Тип документа");
  await expect(typeOf("Прайс.txt")).toHaveValue("product");
  await expect(typeOf("Правила.txt")).toHaveValue("policy");
  await expect(typeOf("Заметки.txt")).toHaveValue("");
  await expect(common).toHaveValue("");
  await page.getByRole("button", { name: "Загрузить 3 файла" }).click();
  await expect(page.getByText("Выберите тип документа", { exact: true })).toBeVisible();
  await typeOf("Заметки.txt").selectOption("training");
  await typeOf("Правила.txt").selectOption("support");
  await expect(common).toHaveCount(0);
  await expectAccessibleCrosswise(page, "several files with a type each");
  await page.getByRole("button", { name: "Загрузить 3 файла" }).click();
  await expectToast(page, "Документ загружен!");
  const types = sent.map((body) => /name="type"\s+(\w+)/.exec(body)?.[1]);
  expect(types).toEqual(["product", "support", "training"]);
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
