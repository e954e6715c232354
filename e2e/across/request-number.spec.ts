// The number by which a failure is found in the server's log: on the screen, to be copied.
import { randomUUID } from "node:crypto";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering } from "../support/answers.ts";
import { watchClipboard } from "../support/clipboard.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";
import { createTwin } from "../support/twin-form.ts";
import { broken } from "./request-number-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("a failed change shows «Номер обращения» in its toast, and the number is copied", async ({ page }) => {
  const id = randomUUID();
  await answering(page, { "POST /api/digital-twins": broken(id) });
  await page.goto("/create-twin");
  const copied = await watchClipboard(page);
  await createTwin(page);
  await expect(toast(page)).toContainText("Ошибка создания");
  await expect(toast(page)).toContainText("Внутренняя ошибка. Мы уже знаем о ней.");
  await expect(toast(page)).toContainText(`Номер обращения ${id}`);
  const copy = toast(page).getByRole("button", { name: "Копировать: номер обращения" });
  // A toast stays while something in it has the focus, however long the look takes.
  await copy.focus();
  await expectAccessibleCrosswise(page, "a toast with a number");
  await copy.click();
  await expect.poll(copied).toBe(id);
});

test("a refusal that the user can mend himself has no number", async ({ page }) => {
  await answering(page, { "GET /api/digital-twins": broken(randomUUID(), 422) });
  await page.goto("/twins");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByText("Номер обращения")).toHaveCount(0);
  await expect(toast(page)).toHaveCount(0);
});
