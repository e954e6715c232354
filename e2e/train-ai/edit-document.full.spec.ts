// A document edited in place, against answers of the test's own.
// What edit-document.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { FORMER, NEW, openEditor, version } from "./edit-document-parts.ts";

test("what is typed survives a closed dialog and a reload; the text of a file is said to be one", async ({ page }) => {
  await openEditor(page, { content: FORMER, version: version("a"), mime: "application/pdf" }, () => ({}));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Это текст, прочитанный из файла PDF");
  await dialog.getByLabel("Содержимое").fill(NEW);
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("button", { name: "Доставка", exact: true }).click();
  await dialog.getByRole("button", { name: "Изменить" }).click();
  await expect(dialog.getByLabel("Содержимое")).toHaveValue(NEW);
  await expect(dialog).toContainText("Восстановлен черновик");
});
