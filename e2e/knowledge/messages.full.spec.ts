// The messages of /knowledge: searched, narrowed, read page by page; the screen's looks; the demo's own history on a real server.
import { buildKnowledgeMessage, buildSource } from "../factories/knowledge.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { json } from "../support/answers.ts";
import { pauseClock } from "../support/clock.ts";
import { expect, test } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";
import { anna, answeringKnowledge, queryOf } from "./answering-knowledge.ts";

test("no accessibility fault in either theme at 1440 and 390 px, no sideways scroll at any width", async ({ page }) => {
  const long = "Оченьдлинноеимябезпробелов".repeat(6);
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json([
      buildSource(1, { name: long, digitalTwinName: long, kind: "paste" }),
      buildSource(2, { status: "inactive", lastImport: null }),
    ]),
    "GET /api/knowledge-base/messages": json(
      Array.from({ length: 30 }, (_, n) =>
        buildKnowledgeMessage(n, { content: `${long} найти`, author: long, chatName: long }),
      ),
    ),
  });
  for (const search of ["", "?tab=messages&q=найти"]) {
    await page.goto(`/knowledge${search}`);
    await expect(page.getByText(search ? "найти" : "Никогда").first()).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessibleCrosswise(page, `/knowledge${search}`);
  }
});

test("the demo's own history is counted, searched and narrowed by the server", async ({ page }) => {
  await asDemoUser(page);
  await page.goto("/knowledge");
  await expect(page.getByText("Активен", { exact: true }).first()).toBeVisible();
  // Active, so that it can be asked for: why a pasted conversation is not read again, the server says.
  await expect(page.getByRole("button", { name: /^Переимпорт/ }).first()).toBeEnabled();
  await page.getByRole("tab", { name: "Обучающие данные" }).click();
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByRole("listitem").first()).toContainText("Обучающие данные");
  await page.getByRole("searchbox", { name: "Поиск по сообщениям" }).fill("заказ");
  await expect(page.locator("mark").first()).toHaveText(/заказ/i);
  await page.getByLabel("Платформа").selectOption("email");
  await expect(list.getByRole("listitem").first()).toContainText("Email");
  await expect(list.getByText("WhatsApp")).toHaveCount(0);
});

test.describe("typed words", () => {
  test.use({ ownContext: true });

  test("search, platform and twin are asked for together and stand in the address", async ({ page }) => {
    const asked: string[] = [];
    await answeringKnowledge(page, {
      "GET /api/knowledge-base/messages": (_route, request) => {
        asked.push(queryOf(request).toString());
        return queryOf(request).has("search")
          ? [buildKnowledgeMessage(1, { content: "Ещё посылка" })]
          : [buildKnowledgeMessage(1), buildKnowledgeMessage(2)];
      },
    });
    await page.clock.install();
    await page.goto("/knowledge");
    await page.getByRole("tab", { name: "Обучающие данные" }).click();
    await expect(page.getByText("Сообщение 2")).toBeVisible();
    // However long the keys take here, for the page they follow each other at once.
    await pauseClock(page);
    await page.getByRole("searchbox", { name: "Поиск по сообщениям" }).pressSequentially("посылка еще");
    await page.clock.resume();
    await expect(page.locator("mark")).toHaveText(["Ещё", "посылка"]);
    await page.getByLabel("Платформа").selectOption("telegram");
    await page.getByLabel("Двойник", { exact: true }).selectOption(anna.id);
    await expect(page).toHaveURL(/tab=messages.*q=.*platform=telegram.*twin=/);
    const search = encodeURIComponent("посылка еще").replace("%20", "+");
    await expect
      .poll(() => asked)
      .toEqual([
        "",
        `search=${search}`,
        `search=${search}&platform=telegram`,
        `search=${search}&platform=telegram&twinId=${anna.id}`,
      ]);
    await page.reload();
    await expect(page.getByRole("searchbox", { name: "Поиск по сообщениям" })).toHaveValue("посылка еще");
    await expect(page.getByLabel("Двойник", { exact: true })).toHaveValue(anna.id);
    expect(asked.at(-1)).toBe(`search=${search}&platform=telegram&twinId=${anna.id}`);
  });
});

test("a search that needs more time continues automatically", async ({ page }) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/messages": (route, request) =>
      queryOf(request).has("before")
        ? [buildKnowledgeMessage(7, { content: "Иголка" })]
        : route.fulfill({ headers: { "x-next-before": "k1" }, json: [] }),
  });
  await page.goto("/knowledge?tab=messages&q=иголка");
  await expect(page.getByText("Иголка")).toBeVisible();
});
