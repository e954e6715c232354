// Section 2, Twins list: what stands on it, what it says while waiting, when empty and when the call fails; its search.
// What list.spec.ts leaves to test:full.
import { buildTwin } from "../factories/twin.ts";
import { answering, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { row } from "./list-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("past ten rows can be searched, and the address keeps the search", async ({ page }) => {
  await answering(
    page,
    listOf(...Array.from({ length: 11 }, (_, n) => buildTwin(n + 1)), buildTwin(40, { name: "Пётр" })),
  );
  await page.goto("/twins");
  await page.getByRole("searchbox", { name: "Поиск двойника" }).fill("петр");
  await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(1);
  await page.reload();
  await expect(row(page, "Пётр")).toBeVisible();
  await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(1);
  await page.getByRole("searchbox").fill("нет такого");
  await page.getByRole("button", { name: "Сбросить поиск" }).click();
  await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(12);
});
