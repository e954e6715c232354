// /train-ai against answers of the test's own: documents, the training and the side panel. The journey on the real server is
// another spec's.
import type { Locator } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "./accessibility.ts";
import { type Answer, fails, json, storageOf, training, user } from "./answers.ts";
import { expect, test } from "./fixtures.ts";
import { expectToast } from "./toast.ts";
import { anna, answeringTraining, oleg } from "./train-ai.ts";

const stored = (id: number, name: string) => ({
  id: `d${id}`,
  name,
  type: "faq",
  status: "processed",
  digitalTwinId: anna.id,
  content: "Доставка по Москве занимает",
  tags: ["доставка"],
  length: 5120,
  createdAt: "2025-11-20T07:01:00.000Z",
});

test("the document form says what is missing, sends what section 7 names, and empties itself", async ({ page }) => {
  let sent: unknown;
  await answeringTraining(page, {
    "GET /api/digital-twins": json([anna, oleg]),
    "POST /api/knowledge/upload": (_route, request) => {
      sent = request.postDataJSON();
      return stored(1, "Доставка");
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

test("each file has its own fate, and one that failed is sent again alone", async ({ page }) => {
  const tries: string[] = [];
  await answeringTraining(page, {
    "POST /api/knowledge/upload": (route, request) => {
      const body = request.postData() ?? "";
      const name = /filename="([^"]+)"/.exec(body)?.[1] ?? "";
      expect(body).toContain(anna.id);
      tries.push(name);
      if (name === "b.md" && tries.length < 3) return fails(429, "Слишком много запросов")(route, request);
      return stored(tries.length, name);
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

test("the side panel lists, opens, searches and deletes documents", async ({ page }) => {
  const lines = "Строка правил магазина.\n\n".repeat(60);
  const long = `${lines}Доставка за один день\n\n${lines}`;
  let documents = Array.from({ length: 11 }, (_, place) => stored(place, `Документ ${place + 1}`));
  await answeringTraining(page, {
    "GET /api/knowledge/documents": () => documents,
    "GET /api/knowledge/documents/d0": json({ ...stored(0, "Документ 1"), content: "Весь текст документа" }),
    "DELETE /api/knowledge/documents/d0": (route) => {
      documents = documents.slice(1);
      return route.fulfill({ status: 204 });
    },
    "GET /api/knowledge/documents/d2": json({ ...stored(2, "Документ 3"), content: long }),
    [`GET /api/digital-twins/${anna.id}/search`]: (_route, request) =>
      new URL(request.url()).searchParams.get("q") === "доставка"
        ? [
            {
              kind: "document",
              text: "Доставка за один день",
              name: "Документ 3",
              score: 0.9,
              documentId: "d2",
              byMeaning: true,
            },
          ]
        : [],
  });
  await page.goto("/train-ai");
  const panel = page.getByRole("region", { name: "Загруженные документы" });
  await expect(panel.getByText("Обработан", { exact: true })).toHaveCount(11);
  await panel.getByRole("searchbox").fill("документ 11");
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await panel.getByRole("searchbox").fill("");
  await panel.getByRole("button", { name: "Документ 1", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("Весь текст документа");
  await expectAccessible(page, "the side panel lists, opens, searches and deletes documents");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Удалить документ «Документ 1»" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
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
  await search.getByRole("button", { name: "Показать в документе «Документ 3»" }).click();
  await expect(page.getByRole("dialog").locator("mark")).toHaveText("Доставка за один день");
  await expect(page.getByRole("dialog").locator("mark")).toBeInViewport();
  await expectAccessible(page, "a found passage in its document");
  await page.keyboard.press("Escape");
  await search.getByRole("searchbox").fill("погода");
  await page.keyboard.press("Enter");
  await expect(search).toContainText("Ничего не нашлось");
  await expect(page).toHaveURL(/q=/);
});

test("a toast covers neither the title of a dialog nor its buttons, however little room there is", async ({ page }) => {
  const why = "Хранилище документов сейчас занято другой работой. Попробуйте удалить документ ещё раз через минуту.";
  await answeringTraining(page, {
    "GET /api/knowledge/documents": json([stored(0, "Условия доставки и возврата для покупателей из других городов")]),
    "DELETE /api/knowledge/documents/d0": fails(409, why),
  });
  await page.goto("/train-ai");
  for (const [width, height] of [
    [390, 844],
    [390, 480],
    [320, 568],
    [768, 1024],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole("button", { name: /Удалить документ/ }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Удалить" }).click();
    // A modal dialog hides the region from who cannot see it; the toast is announced beside it.
    const toast = page
      .getByRole("listitem", { includeHidden: true })
      .filter({ hasText: "Попробуйте удалить документ" });
    await expect(toast).toContainText(why);
    const boxOf = async (place: Locator) => (await place.boundingBox())!;
    await expect
      .poll(async () => {
        const covering = await boxOf(toast);
        const parts = [
          dialog.getByRole("heading"),
          ...["Удалить", "Отмена"].map((name) => dialog.getByRole("button", { name })),
        ];
        const boxes = await Promise.all(parts.map(boxOf));
        const inside = boxes.every((box) => box.y >= 0 && box.y + box.height <= height);
        return inside && !boxes.some((box) => overlaps(box, covering));
      }, `${width} × ${height}`)
      .toBe(true);
    // A button that moved up when the toast leaves would be missed.
    const before = await boxOf(dialog);
    await toast.getByRole("button", { name: "Закрыть уведомление", includeHidden: true }).click();
    await expect(toast).toBeHidden();
    expect(await boxOf(dialog)).toEqual(before);
    await dialog.getByRole("button", { name: "Отмена" }).click();
    await expect(dialog).toBeHidden();
  }
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("who may only look is told so, and no form can be filled in", async ({ page }) => {
  await answeringTraining(page, {
    "GET /api/auth/verify": json({ user: { ...user, role: "viewer" } }),
    "GET /api/knowledge/documents": json([stored(0, "Доставка")]),
  });
  await page.goto("/train-ai");
  const reason = page.getByText("Только просмотр: ваша роль не позволяет ничего менять.");
  await expect(reason).toBeVisible();
  await expect(page.getByLabel("Название документа")).toBeDisabled();
  await expect(page.locator('input[type="file"]')).toBeDisabled();
  await expect(page.getByRole("button", { name: "Загрузить документ" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Удалить документ «Доставка»" })).toBeDisabled();
  await expectAccessibleCrosswise(page, "the training of who may only look");
  await page.getByRole("tab", { name: "Примеры диалогов" }).click();
  await expect(reason).toBeVisible();
  await expect(page.getByLabel("История переписки")).toBeDisabled();
  await page.getByRole("button", { name: "Файл выгрузки" }).click();
  await expect(reason).toBeVisible();
  await expect(page.locator('input[type="file"]')).toBeDisabled();
});

test("the training is followed to its end", async ({ page }) => {
  let state: Record<string, unknown> = {
    ...training,
    status: "training",
    running: true,
    progress: 0.4,
    stage: "Изучаем манеру",
  };
  await answeringTraining(page, { [`GET /api/digital-twins/${anna.id}/training`]: () => state });
  await page.goto("/train-ai");
  const card = page.getByRole("region", { name: "Анна Петрова" });
  await expect(card).toContainText("В обучении");
  await expect(card).toContainText("Изучаем манеру");
  await expect(card.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "40");
  const error = "Сервер эмбеддингов не отвечает. Мы попробуем ещё раз.";
  state = { ...training, passages: 21, messages: 1234, meaning: { ready: false, units: 0, total: 21, error } };
  await expect(card).toContainText("Готов");
  await expect(card).toContainText(/фрагмент\s*21/);
  await expect(card).toContainText(/сообщения\s*1\s234/);
  await expect(card).toContainText(`двойник ищет по словам. ${error}`);
});

test("empty, slow and failing answers have their own looks", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await answeringTraining(page, {
    "GET /api/digital-twins": async () => {
      await held.promise;
      return [];
    },
  });
  await page.goto("/train-ai");
  await expect(page.getByRole("status").filter({ hasText: "Загрузка..." })).toBeAttached();
  await expect(page.getByText("Документы пока не загружены")).toBeVisible();
  held.resolve();
  await expect(page.getByText("Пока нет цифровых двойников")).toBeVisible();
  await expect(page.getByRole("link", { name: "Создать двойника" })).toHaveAttribute("href", "/create-twin");
  await expectAccessible(page, "empty, slow and failing answers have their own looks");
});

test("what cannot be loaded can be tried again", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 503/);
  let away = true;
  const unlessAway =
    (body: unknown): Answer =>
    (route, request) =>
      away ? fails(503, "База данных временно недоступна")(route, request) : body;
  await answeringTraining(page, {
    "GET /api/digital-twins": unlessAway([anna]),
    "GET /api/knowledge/documents": unlessAway([]),
  });
  await page.goto("/train-ai");
  await expect(page.getByText("Не удалось загрузить двойников")).toBeVisible();
  await expect(page.getByText("Не удалось загрузить документы")).toBeVisible();
  await expectAccessible(page, "what cannot be loaded can be tried again");
  away = false;
  const retry = page.getByRole("button", { name: "Повторить" });
  await retry.last().click();
  await retry.click();
  await expect(page.getByText("Документы пока не загружены")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Примеры диалогов" })).toBeVisible();
});

test("no accessibility fault in either theme at 1440 and 390 px, no sideways scroll at any width", async ({ page }) => {
  await answeringTraining(page, {
    "GET /api/knowledge/documents": json([stored(1, "Оченьдлинноеназваниебезпробелов".repeat(5))]),
  });
  await page.goto("/train-ai");
  await expect(page.getByText("Обработан", { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessibleCrosswise(page, "/train-ai");
});

test("who uploads is told that space ends, before an upload is refused", async ({ page }) => {
  let space = storageOf(7);
  await answeringTraining(page, {
    "GET /api/digital-twins": json([anna]),
    [`GET /api/organizations/${user.organizationId}/storage`]: () => space,
  });
  await page.goto("/train-ai");
  await expect(page.getByLabel("Название")).toBeVisible();
  await expect(page.getByText("Место организации")).toHaveCount(0);
  space = storageOf(8.4);
  await page.reload();
  await expect(page.getByText("Место организации заканчивается: занято 8,4\u00a0ГБ из 10\u00a0ГБ.")).toBeVisible();
  space = storageOf(1, "full");
  await page.reload();
  await expect(page.getByText("загрузки приостановлены")).toBeVisible();
  await expectAccessibleCrosswise(page, "a notice on space");
});
