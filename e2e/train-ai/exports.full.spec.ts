// The export of a messenger on /train-ai against answers of the test's own: read, chosen from, agreed to, imported, cancelled.
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { answeringTraining } from "./answering-training.ts";
import { IMPORT, preview } from "./exports-parts.ts";

test("no accessibility fault in either theme at 1440 and 390 px, no sideways scroll at any width", async ({ page }) => {
  await answeringTraining(page, {
    "GET /api/imports": json([{ ...preview, chats: [], people: [], rejected: [] }]),
    [`GET /api/imports/${IMPORT}`]: json(preview),
  });
  for (const [search, part] of [
    ["", page.getByLabel("История переписки")],
    ["&from=file", page.getByRole("button", { name: "Начать импорт" })],
  ] as const) {
    await page.goto(`/train-ai?tab=dialogues${search}`);
    await expect(part).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessibleCrosswise(page, `/train-ai?tab=dialogues${search}`);
  }
});

test("an import is cancelled only after a confirmation, and a failed one says why", async ({ page }) => {
  let state: Record<string, unknown> = { ...preview, status: "running", total: 700, processed: 70, imported: 60 };
  await answeringTraining(page, {
    "GET /api/imports": () => [{ ...state, chats: [], people: [], rejected: [] }],
    [`GET /api/imports/${IMPORT}`]: () => state,
    [`POST /api/imports/${IMPORT}/cancel`]: () => {
      state = { ...state, status: "cancelled" };
      return state;
    },
    "POST /api/imports/uploads": fails(415, "Это не похоже на выгрузку переписки"),
  });
  await page.goto("/train-ai?tab=dialogues&from=file");
  await page.getByRole("button", { name: "Отменить импорт" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("60 сообщений");
  await expectAccessible(page, "an import is cancelled only after a confirmation, and a failed one says why");
  await page.getByRole("button", { name: "Продолжить" }).click();
  await page.getByRole("button", { name: "Отменить импорт" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Отменить импорт" }).click();
  await expect(page.getByText("Импорт отменён").last()).toBeVisible();

  await page.getByRole("button", { name: "Загрузить другой файл" }).click();
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from("[]") });
  await expectToast(page, "Ошибка загрузки");
  await expect(page.getByRole("alert").getByText("Это не похоже на выгрузку переписки")).toBeVisible();

  state = { ...preview, status: "failed", error: "Диск сервера заполнен" };
  await page.goto(`/train-ai?tab=dialogues&from=file&import=${IMPORT}`);
  await expect(page.getByText("Диск сервера заполнен")).toBeVisible();
  await page.getByRole("button", { name: "Попробовать снова" }).click();
  await expect(page.getByRole("button", { name: "Начать импорт" })).toBeVisible();
});
