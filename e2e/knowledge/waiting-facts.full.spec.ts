import { expect, test } from "../support/fixtures.ts";
import { anna, answeringKnowledge } from "./answering-knowledge.ts";
import { deciding, found } from "./waiting-facts-parts.ts";

test("of many facts that wait a few are shown at first, so that the confirmed ones stay in reach", async ({ page }) => {
  const many = Array.from({ length: 21 }, (_, n) => found(n + 1, `Вопрос ${n + 1}`, `Ответ ${n + 1}`));
  await answeringKnowledge(page, deciding([{ ...anna, facts: many }]).answers);
  await page.goto("/knowledge?tab=facts");
  await expect(page.getByRole("region", { name: "21 факт из переписки ждёт решения" })).toBeVisible();
  const rows = page.getByRole("list", { name: "Факты, которые ждут решения" }).getByRole("listitem");
  await expect(rows).toHaveCount(5);
  await page.getByRole("button", { name: "Показать ещё 10" }).click();
  await expect(rows).toHaveCount(15);
});

test("facts that wait and cannot be loaded say so, and are asked for again", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 422/);
  const { answers } = deciding([{ ...anna, facts: [found(1, "Сколько стоит торт?", "Торт 6500")] }]);
  const path = `GET /api/digital-twins/${anna.id}/chat-facts`;
  const whole = answers[path]!;
  let fails = true;
  await answeringKnowledge(page, {
    ...answers,
    [path]: (route, request) =>
      fails
        ? route.fulfill({ status: 422, json: { message: "Слишком много дел", code: "x", requestId: "1" } })
        : whole(route, request),
  });
  await page.goto("/knowledge?tab=facts");
  await expect(page.getByText("Не удалось загрузить факты, которые ждут решения")).toBeVisible({ timeout: 15_000 });
  fails = false;
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(page.getByRole("region", { name: "1 факт из переписки ждёт решения" })).toBeVisible();
});
