// A document edited in place, against answers of the test's own.
import { buildDocument } from "../factories/knowledge.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast, toast } from "../support/toast.ts";
import { FORMER, NEW, openEditor, version } from "./edit-document-parts.ts";

test("title and text are changed in the dialog, and the toast brings the former ones back", async ({ page }) => {
  const stored = { name: "Доставка", content: FORMER, version: version("a") };
  const sent: unknown[] = [];
  await openEditor(page, stored, (body: { name: string; content: string }) => {
    sent.push(body);
    Object.assign(stored, { ...body, version: version(sent.length === 1 ? "b" : "a") });
    return buildDocument(1, stored);
  });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Сохранить" })).toBeDisabled();
  await dialog.getByLabel("Название документа").fill("Доставка и оплата");
  await dialog.getByLabel("Содержимое").fill("мало");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog).toContainText("Содержимое должно быть минимум 50 символов");
  await dialog.getByLabel("Содержимое").fill(NEW);
  await expectAccessibleCrosswise(page, "a document is edited");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog.getByRole("region", { name: "Текст документа" })).toContainText("490 рублей");
  await expect(dialog.getByRole("heading", { name: "Доставка и оплата" })).toBeVisible();
  await expectToast(page, "Документ изменён");
  await dialog.getByRole("button", { name: "Закрыть" }).click();
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expectToast(page, "Прежний текст возвращён");
  expect(sent).toEqual([
    { name: "Доставка и оплата", content: NEW, version: version("a") },
    { name: "Доставка", content: FORMER, version: version("b") },
  ]);
});

test("a conflict says so and keeps what was typed; it is saved over the other one only when told to", async ({
  page,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 409/);
  const stored = { content: FORMER, version: version("a") };
  const sent: { version: string }[] = [];
  await openEditor(page, stored, (body: { content: string; version: string }) => {
    sent.push(body);
    if (sent.length === 1) {
      Object.assign(stored, { content: `${FORMER} По воскресеньям не возим.`, version: version("c") });
      return { message: "Документ уже изменили", code: "document_changed", requestId: "r1" };
    }
    return buildDocument(1, { ...body, version: version("d") });
  });
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Содержимое").fill(NEW);
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Ваш текст остался в форме");
  await expect(dialog.getByLabel("Содержимое")).toHaveValue(NEW);
  await expectAccessibleCrosswise(page, "a document was changed meanwhile");
  await dialog.getByRole("button", { name: "Сохранить мой текст" }).click();
  await expectToast(page, "Документ изменён");
  expect(sent.map(({ version }) => version)).toEqual([version("a"), version("c")]);
});
