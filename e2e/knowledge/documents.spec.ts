// The tabs «Документы» and «Факты» of /knowledge, against answers of the test's own.
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { json, nothing } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast, toast } from "../support/toast.ts";
import { PHONE } from "../support/viewports.ts";
import { anna, answeringKnowledge, oleg } from "./answering-knowledge.ts";
import { fact, use, uses } from "./documents-parts.ts";

test("a document is opened, edited and deleted where it stands", async ({ page }) => {
  let documents = [buildDocument(1, { name: "Прайс" }), buildDocument(2, { name: "Склад", digitalTwinId: oleg.id })];
  await answeringKnowledge(page, {
    "GET /api/knowledge/documents": () => documents,
    [`GET /api/knowledge/documents/${uuid(51)}`]: json(buildDocument(1, { name: "Прайс", content: "Весь текст" })),
    [`DELETE /api/knowledge/documents/${uuid(51)}`]: (route, request) => {
      documents = documents.slice(1);
      return nothing(route, request);
    },
    ...uses(),
  });
  await page.goto("/knowledge?tab=documents");
  const rows = page.getByRole("region", { name: "Документы" }).getByRole("listitem");
  const bin = rows.nth(0).getByRole("button", { name: "Удалить документ «Прайс»" });
  await expect(bin).toHaveCSS("opacity", "0");
  // Beside its name: the whole row opens it.
  await rows.nth(0).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Весь текст");
  await expect(dialog.getByRole("button", { name: "Изменить" })).toBeEnabled();
  await page.keyboard.press("Escape");
  await rows.nth(0).hover();
  await expect(bin).toHaveCSS("opacity", "1");
  await bin.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
  await expectToast(page, "Документ удален");
  await expect(rows).toHaveCount(1);
});

test("a document reads as text with headings, lists, tables and links; what could act stays letters, and editing shows what was written", async ({
  page,
}) => {
  const content = [
    "# Прайс",
    "- **бисквит** по [рецепту](https://cakes.example/r)",
    "- [ловушка](javascript:alert(1))",
    "| Торт | Цена |",
    "|---|---|",
    "| Медовик | 2500 |",
    "<img src=x onerror=alert(1)>",
  ].join("\n");
  const whole = buildDocument(1, { name: "Прайс", content, version: "1" });
  await answeringKnowledge(page, {
    "GET /api/knowledge/documents": json([whole]),
    [`GET /api/knowledge/documents/${uuid(51)}`]: json(whole),
    ...uses(),
  });
  await page.goto(`/knowledge?tab=documents&document=${uuid(51)}`);
  const text = page.getByRole("region", { name: "Текст документа" });
  await expect(text.getByRole("heading", { name: "Прайс" })).toBeVisible();
  await expect(text.getByRole("listitem").first().locator("strong")).toHaveText("бисквит");
  const link = text.getByRole("link");
  await expect(link).toHaveAttribute("href", "https://cakes.example/r");
  await expect(link).toHaveAttribute("rel", /noopener/);
  await expect(text.getByRole("listitem").nth(1)).toHaveText("[ловушка](javascript:alert(1))");
  await expect(text.getByRole("columnheader")).toHaveText(["Торт", "Цена"]);
  await expect(text.getByRole("cell")).toHaveText(["Медовик", "2500"]);
  await expect(text.locator("img")).toHaveCount(0);
  await expect(text).toContainText("<img src=x onerror=alert(1)>");
  await expectAccessibleCrosswise(page, "a document that reads as text");
  await page.getByRole("button", { name: "Изменить" }).click();
  await expect(page.getByLabel("Содержимое")).toHaveValue(content);
});

test("facts are edited, switched off and forgotten where they stand, and each act is taken back", async ({ page }) => {
  let facts = [
    fact(1),
    fact(2, { question: "Сколько стоит доставка?", text: "Доставка 350 рублей", fromLetters: false }),
  ];
  const sent: unknown[] = [];
  const path = `/api/digital-twins/${anna.id}/corrections`;
  const change = (id: string) => ({
    [`PUT ${path}/${id}`]: (
      _route: unknown,
      request: { postDataJSON(): { active?: boolean; lesson?: { text: string } } },
    ) => {
      const body = request.postDataJSON();
      sent.push(body);
      const next = body.lesson ? uuid(799) : id;
      facts = facts.map((one) =>
        one.id === id
          ? { ...one, id: next, active: body.active ?? one.active, text: body.lesson?.text ?? one.text }
          : one,
      );
      return {
        ...{ id: next, kind: "fact", question: "В", rewordings: [], twinReply: "", text: "Т", rules: [] },
        ...{ scope: "everybody", contactName: null, active: true, createdAt: new Date().toISOString(), case: null },
      };
    },
  });
  await answeringKnowledge(page, {
    "GET /api/knowledge/facts": () => ({ facts, waiting: [] }),
    ...uses(use(7, { fact: "Работаем с 10 до 20" })),
    ...change(uuid(701)),
    ...change(uuid(799)),
    ...change(uuid(702)),
    [`DELETE ${path}/${uuid(702)}`]: (route, request) => {
      facts = facts.filter(({ id }) => id !== uuid(702));
      return nothing(route, request);
    },
  });
  await page.goto("/knowledge?tab=facts");
  const rows = page.getByRole("region", { name: /^Подтверждённые/ }).getByRole("listitem");
  await expect(rows.nth(0)).toContainText("7 ответов");
  await expect(rows.nth(0)).toContainText("Из переписки");
  await expectAccessibleCrosswise(page, "confirmed facts");
  await rows
    .nth(0)
    .getByRole("button", { name: /^Изменить факт/ })
    .click();
  await page.getByLabel("Двойник ответит всем").fill("Работаем с 9 до 21");
  await page.getByRole("button", { name: "Сохранить" }).click();
  await expect(rows.nth(0)).toContainText("Работаем с 9 до 21");
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expect(rows.nth(0)).toContainText("Работаем с 10 до 20");
  expect(sent).toEqual(
    ["Работаем с 9 до 21", "Работаем с 10 до 20"].map((text) => ({
      lesson: {
        ...{ kind: "fact", question: "До скольки вы работаете?", text, rewordings: ["Вы до скольки?"] },
        ...{ rules: [], scope: "everybody" },
      },
    })),
  );
  await rows
    .nth(1)
    .getByRole("button", { name: /^Выключить факт/ })
    .click();
  await expect(rows.nth(1)).toContainText("Выключен");
  await rows
    .nth(1)
    .getByRole("button", { name: /^Удалить факт/ })
    .click();
  await expectToast(page, "Двойник это забыл");
  await expect(rows).toHaveCount(1);
});

test("on a phone the chosen tab is in sight, and search, twin and order have the room to be read", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await answeringKnowledge(page, {
    "GET /api/knowledge/documents": json([buildDocument(1), buildDocument(2, { digitalTwinId: oleg.id })]),
    "GET /api/knowledge/facts": json({ facts: [], waiting: [] }),
    ...uses(),
  });
  await page.goto("/knowledge?tab=documents");
  await expect(page.getByRole("tab", { name: "Документы" })).toBeInViewport({ ratio: 1 });
  const card = (await page.getByRole("region", { name: "Документы" }).boundingBox())!;
  for (const control of [
    page.getByLabel("Поиск по документам"),
    ...(await page.getByRole("search").getByRole("combobox").all()),
  ]) {
    const box = (await control.boundingBox())!;
    expect(box.width).toBeGreaterThan(120);
    expect(box.x + box.width).toBeLessThanOrEqual(card.x + card.width);
  }
  await page.getByRole("tab", { name: "Факты" }).click();
  await expect(page.getByRole("tab", { name: "Факты" })).toBeInViewport({ ratio: 1 });
});
