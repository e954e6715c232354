// The screen of /train-ai against answers of the test's own: the training that is followed, who may only look, space, and its looks.

import type { Locator } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";
import { buildStorage } from "../factories/organization.ts";
import { buildUser, user } from "../factories/people.ts";
import { anna } from "../knowledge/answering-knowledge.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringTraining } from "./answering-training.ts";

test("no accessibility fault in either theme at 1440 and 390 px, no sideways scroll at any width", async ({ page }) => {
  await answeringTraining(page, {
    "GET /api/knowledge/documents": json([buildDocument(1, { name: "Оченьдлинноеназваниебезпробелов".repeat(5) })]),
  });
  await page.goto("/train-ai");
  await expect(page.getByText("Обработан", { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessibleCrosswise(page, "/train-ai");
});

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

test("a viewer reads why, and no form can be filled in", async ({ page }) => {
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

test("an uploading user sees that space is running out before an upload is refused", async ({ page }) => {
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
