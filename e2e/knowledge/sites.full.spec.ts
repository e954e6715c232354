// The tab «Сайты» of /knowledge, against answers of the test's own.
// What sites.spec.ts leaves to test:full.
import { json, nothing } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { answeringKnowledge } from "./answering-knowledge.ts";
import { path, site } from "./sites-parts.ts";

test("a reading is stopped, begun again, and a site removed with its documents", async ({ page }) => {
  let sites = [site()];
  const becomes = (own: object) => () => {
    sites = [site(own)];
    return sites[0];
  };
  await answeringKnowledge(page, {
    "GET /api/knowledge/websites": () => sites,
    [`POST ${path}/cancel`]: becomes({ state: "cancelled", reason: "Чтение остановлено. Прочитанное осталось" }),
    [`POST ${path}/read`]: (route, request) => json(becomes({ state: "ready" })(), 202)(route, request),
    [`DELETE ${path}`]: (route, request) => {
      sites = [];
      return nothing(route, request);
    },
  });
  await page.goto("/knowledge?tab=sites");
  await page.getByRole("button", { name: "Остановить: tort.example" }).click();
  await expect(page.getByText("Чтение остановлено. Прочитанное осталось")).toBeVisible();
  await page.getByRole("button", { name: "Обновить: tort.example" }).click();
  await expect(page.getByText("Прочитан", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Удалить: tort.example" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Исчезнут 2 документа");
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
  await expectToast(page, "Сайт удалён", "tort.example");
  await expect(page.getByText("Сайтов пока нет")).toBeVisible();
});
