// The screen of /train-ai against answers of the test's own: the training that is followed, who may only look, space, and its looks.
import type { Locator } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";
import { buildStorage } from "../factories/organization.ts";
import { buildUser, user } from "../factories/people.ts";
import { buildTraining } from "../factories/twin.ts";
import { anna } from "../knowledge/answering-knowledge.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringTraining } from "./answering-training.ts";

test("a toast covers neither the title of a dialog nor its buttons, however little room there is", async ({ page }) => {
  const why = "Хранилище документов сейчас занято другой работой. Попробуйте удалить документ ещё раз через минуту.";
  await answeringTraining(page, {
    "GET /api/knowledge/documents": json([
      buildDocument(0, { name: "Условия доставки и возврата для покупателей из других городов" }),
    ]),
    [`DELETE /api/knowledge/documents/${uuid(50)}`]: fails(409, why),
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
    "GET /api/auth/verify": json({ user: buildUser({ role: "viewer" }) }),
    "GET /api/knowledge/documents": json([buildDocument(0, { name: "Доставка" })]),
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
  let state = buildTraining({ status: "training", running: true, progress: 0.4, stage: "Изучаем манеру" });
  await answeringTraining(page, { [`GET /api/digital-twins/${anna.id}/training`]: () => state });
  await page.goto("/train-ai");
  const card = page.getByRole("region", { name: "Анна Петрова" });
  await expect(card).toContainText("В обучении");
  await expect(card).toContainText("Изучаем манеру");
  await expect(card.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "40");
  const error = "Сервер эмбеддингов не отвечает. Мы попробуем ещё раз.";
  state = buildTraining({ chunks: 21, messages: 1234, embeddings: { ready: false, units: 0, total: 21, error } });
  await expect(card).toContainText("Готов");
  await expect(card).toContainText(/фрагмент\s*21/);
  await expect(card).toContainText(/сообщения\s*1\s234/);
  await expect(card).toContainText(`двойник ищет по словам. ${error}`);
});

test("on a phone the form comes before the state of the training, so that work is not below figures", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await answeringTraining(page);
  await page.goto("/train-ai");
  const form = await page.getByRole("region", { name: "Загрузить документ" }).boundingBox();
  const training = await page.getByRole("region", { name: "Анна Петрова" }).boundingBox();
  expect(form!.y).toBeLessThan(training!.y);
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

test("who uploads is told that space ends, before an upload is refused", async ({ page }) => {
  let space = buildStorage(7);
  await answeringTraining(page, {
    "GET /api/digital-twins": json([anna]),
    [`GET /api/organizations/${user.organizationId}/storage`]: () => space,
  });
  await page.goto("/train-ai");
  await expect(page.getByLabel("Название")).toBeVisible();
  await expect(page.getByText("Место организации")).toHaveCount(0);
  space = buildStorage(8.4);
  await page.reload();
  await expect(page.getByText("Место организации заканчивается: занято 8,4\u00a0ГБ из 10\u00a0ГБ.")).toBeVisible();
  space = buildStorage(1, "full");
  await page.reload();
  await expect(page.getByText("загрузки приостановлены")).toBeVisible();
  await expectAccessibleCrosswise(page, "a notice on space");
});
