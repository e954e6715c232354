// The tab «Сайты» of /knowledge, against answers of the test's own.
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { anna, answeringKnowledge } from "./answering-knowledge.ts";
import { path, site } from "./sites-parts.ts";

test("a site is added with one's word for it, its progress is seen, and its end announced", async ({ page }) => {
  let sites: object[] = [];
  let sent: unknown;
  await answeringKnowledge(page, {
    "GET /api/knowledge/websites": () => sites,
    "POST /api/knowledge/websites": (route, request) => {
      sent = request.postDataJSON();
      sites = [site()];
      return json(sites[0], 201)(route, request);
    },
    [`GET ${path}/pages`]: json([
      {
        url: "https://tort.example/",
        state: "document",
        reason: null,
        documentId: uuid(51),
        change: "added",
        readAt: null,
      },
      {
        url: "https://tort.example/%D1%86%D0%B5%D0%BD%D1%8B",
        state: "waiting",
        reason: null,
        documentId: null,
        change: null,
        readAt: null,
      },
      {
        url: "https://tort.example/admin",
        state: "left",
        reason: "Почти нет текста",
        documentId: null,
        change: null,
        readAt: null,
      },
    ]),
  });
  await page.goto("/knowledge?tab=sites");
  await expect(page.getByText("Сайтов пока нет")).toBeVisible();
  await expectAccessibleCrosswise(page, "no sites");
  await page.getByRole("button", { name: "Прочитать сайт" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Прочитать", exact: true }).click();
  await expect(dialog).toContainText("Введите адрес сайта, например example.ru");
  await expect(dialog).toContainText("Подтвердите, что сайт ваш");
  await expectAccessibleCrosswise(page, "a site is added");
  await dialog.getByLabel("Адрес сайта").fill("tort.example");
  await dialog.getByLabel("Цифровой двойник").selectOption({ label: anna.name });
  await dialog.getByLabel(/^Это мой сайт/).check();
  await dialog.getByRole("button", { name: "Прочитать", exact: true }).click();
  const row = page.getByRole("region", { name: "Сайты" }).getByRole("listitem").first();
  await expect(row).toContainText("Прочитано 3 из 12 найденных");
  expect(sent).toEqual({ digitalTwinId: anna.id, url: "tort.example", type: "product", own: true });
  await row.getByRole("button", { name: "Страницы: tort.example" }).click();
  await expect(page.getByRole("list", { name: "Страницы сайта" })).toContainText("/цены");
  await expect(page.getByRole("list", { name: "Страницы сайта" })).toContainText("Почти нет текста");
  await expectAccessibleCrosswise(page, "a site is read");
  sites = [
    site({
      state: "ready",
      pages: { ...{ found: 12, read: 12, documents: 9 }, ...{ added: 9, changed: 0, gone: 0 } },
      finishedAt: new Date().toISOString(),
    }),
  ];
  await expectToast(page, "Сайт прочитан", "tort.example: 9 страниц");
  await expect(row).toContainText("Прочитан");
});
