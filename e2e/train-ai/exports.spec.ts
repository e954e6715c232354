// The export of a messenger on /train-ai against answers of the test's own: read, chosen from, agreed to, imported, cancelled.
import { uuid } from "../factories/ids.ts";
import { anna } from "../knowledge/answering-knowledge.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { type Answers, fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { answeringTraining } from "./answering-training.ts";
import { exported, IMPORT, preview } from "./exports-parts.ts";

/** A server that takes any file, whole, and reads it into `state`. */
function takesExports(state: () => unknown): Answers {
  const upload = { id: uuid(701), fileName: "result.json", bytes: 2, offset: 0, format: null };
  return {
    "POST /api/imports/uploads": json(upload),
    [`PATCH /api/imports/uploads/${upload.id}`]: json({ ...upload, offset: 2, format: "telegram-json" }),
    "POST /api/imports/from-uploads": (route) => route.fulfill({ status: 202, json: [state()] }),
  };
}

test("an export is read, chosen from, agreed to and imported", async ({ page }) => {
  let state: Record<string, unknown> = exported;
  let choice: unknown;
  await answeringTraining(page, {
    "GET /api/imports": () => [{ ...state, chats: [], people: [], rejected: [] }],
    [`GET /api/imports/${IMPORT}`]: () => state,
    ...takesExports(() => state),
    [`POST /api/imports/${IMPORT}/start`]: (_route, request) => {
      choice = request.postDataJSON();
      state = { ...preview, status: "running", total: 700, processed: 350, imported: 340, duplicates: 10 };
      return state;
    },
  });
  state = { ...exported, status: "cancelled" };
  await page.goto("/train-ai?tab=dialogues&from=file");
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "chats.rar", mimeType: "application/octet-stream", buffer: Buffer.from("Rar") });
  await expect(page.getByText("такой архив не читается")).toBeVisible();
  state = exported;
  await page.locator('input[type="file"]').setInputFiles({
    name: "result.json",
    mimeType: "application/json",
    buffer: Buffer.from("{}"),
  });
  await expect(page.getByRole("progressbar", { name: "Чтение файла" })).toBeVisible();
  state = preview;
  await expect(page.getByText("Файл обрывается или повреждён")).toBeVisible();
  await expect(page.getByLabel("Кто здесь вы?")).toHaveValue("user1");
  // What is about this twin stands under the form, what is left to do under the button.
  await expect(page.getByRole("complementary").getByRole("heading", { name: "Что найдёт двойник?" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Что найдёт двойник?" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Анна Петрова" })).toContainText("Ход обучения");
  const button = (await page.getByRole("button", { name: "Начать импорт" }).boundingBox())!;
  const left = (await page.getByText(/^Осталось: /).boundingBox())!;
  expect(left.y).toBeGreaterThanOrEqual(button.y + button.height);
  await page.getByText("Не прочитано: 1").click();
  await expect(page.getByText("Нет даты сообщения")).toBeVisible();
  await expect(page.getByText("Анна Петрова: в субботу после двух")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /Семья/ })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: /Клиент 1 / })).toBeChecked();
  await page.getByText("Подробнее о чужих сообщениях").click();
  await expect(page.getByText(/есть сообщения других людей/)).toBeVisible();
  await page.getByRole("button", { name: "Снять все" }).click();
  await page.getByRole("button", { name: "Начать импорт" }).click();
  await expect(page.getByText("Выберите хотя бы один чат", { exact: true })).toBeVisible();
  await expect(page.getByText("Подтвердите право использовать переписку", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Выбрать все личные" }).click();
  await page.getByRole("searchbox", { name: "Поиск по чатам" }).fill("клиент 7");
  await page.getByRole("checkbox", { name: /Клиент 7/ }).uncheck();
  await page.getByRole("checkbox", { name: /вправе использовать/ }).check();
  await expectAccessible(page, "an export is read, chosen from, agreed to and imported");
  await page.getByRole("button", { name: "Начать импорт" }).click();
  await expect(page.getByText("Обработано 350 из 700 сообщений")).toBeVisible();
  expect(choice).toEqual({
    ownerId: "user1",
    chatIds: ["c1", "p0", "p1", "p2", "p3", "p4", "p5", "p7", "p8", "p9"],
    consent: true,
    consentVersion: expect.stringMatching(/^\d{4}-\d{2}-\d+$/),
  });

  // It is found again after leaving.
  await page.goto("/train-ai");
  await page.getByRole("button", { name: "Показать импорт" }).click();
  await expect(page.getByRole("progressbar", { name: "Импорт" })).toHaveAttribute("aria-valuenow", "50");
  state = { ...preview, status: "done", total: 700, processed: 700, imported: 680, duplicates: 20 };
  await expectToast(page, "Импорт завершен!");
  await expect(page.getByRole("definition").filter({ hasText: /^680$/ })).toBeVisible();
  await expect(page.getByRole("link", { name: "Проверить двойника" })).toHaveAttribute(
    "href",
    `/twins?chat=${anna.id}`,
  );
});

test("an import that no longer exists says so, and leads to a new file", async ({ page }) => {
  await answeringTraining(page, {
    "GET /api/imports": json([]),
    [`GET /api/imports/${IMPORT}`]: fails(404, "Импорт не найден", "not_found"),
  });
  await page.goto(`/train-ai?tab=dialogues&from=file&import=${IMPORT}`);
  await expect(page.getByText("Импорт не найден")).toBeVisible();
  await expect(page.getByRole("button", { name: "Повторить" })).toHaveCount(0);
  await page.getByRole("button", { name: "Загрузить файл" }).click();
  await expect(page.locator('input[type="file"]')).toBeAttached();
});
