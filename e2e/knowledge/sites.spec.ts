// The tab «Сайты» of /knowledge, against answers of the test's own.
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { json, nothing } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { anna, answeringKnowledge } from "./answering-knowledge.ts";

const site = (own: object = {}) => ({
  id: uuid(600),
  digitalTwinId: anna.id,
  digitalTwinName: anna.name,
  url: "https://tort.example/",
  type: "product",
  state: "reading",
  reason: null,
  pages: { ...{ found: 12, read: 3, documents: 2 }, ...{ added: 2, changed: 0, gone: 0 } },
  startedAt: new Date().toISOString(),
  finishedAt: null,
  ...own,
});
const path = `/api/knowledge/websites/${uuid(600)}`;

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
