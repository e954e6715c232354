// The messages of /knowledge: searched, narrowed, read page by page; the screen's looks; the demo's own history on a real server.
import { buildKnowledgeMessage } from "../factories/knowledge.ts";
import { fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { answeringKnowledge, queryOf } from "./answering-knowledge.ts";

test("messages wait as ten rows, then show platform, badge, time and content", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/messages": async () => {
      await held.promise;
      return [
        buildKnowledgeMessage(1, { content: "Отправили вчера", fromOwner: true, chatName: "Мария" }),
        buildKnowledgeMessage(2, {
          platform: "email",
          isTrainingData: false,
          content: "д".repeat(900),
          author: "Мария",
        }),
        buildKnowledgeMessage(3, { content: "", timestamp: "когда-то" }),
      ];
    },
  });
  await page.goto("/knowledge?tab=messages");
  await expect(page.locator("[data-skeleton=message]")).toHaveCount(10);
  held.resolve();
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  expect((await list.boundingBox())?.height).toBe(600);
  const [first, second, third] = [0, 1, 2].map((place) => list.getByRole("listitem").nth(place));
  await expect(first!).toContainText("Telegram");
  await expect(first!).toContainText("Обучающие данные");
  await expect(first!.getByRole("heading", { name: "Мария" })).toBeVisible();
  await expect(first!).toContainText("Вы");
  await expect(first!).toContainText("20 ноября 2025 г. в 10:01");
  await expect(first!).toContainText("Отправили вчера");
  await expect(second!).toContainText("Email");
  await expect(second!.getByText("Обучающие данные")).toHaveCount(0);
  await expect(second!.getByText("д".repeat(900))).toBeVisible();
  await expect(third!).toContainText("Сообщение без текста");
  await expect(third!).toContainText("когда-то");
});

test("messages stand by conversation, the newest first, each question above its answer", async ({ page }) => {
  const at = (minute: number) => ({ timestamp: `2025-11-20T07:${minute}:00.000Z`, digitalTwinName: "Анна" });
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/messages": json([
      buildKnowledgeMessage(1, { ...at(50), content: "Завтра", fromOwner: true, chatName: "Мария" }),
      buildKnowledgeMessage(2, { ...at(40), content: "Да, есть", fromOwner: true, chatName: "Олег" }),
      buildKnowledgeMessage(3, { ...at(30), content: "Когда привезёте?", author: "Мария", chatName: "Мария" }),
      buildKnowledgeMessage(4, { ...at(20), content: "Есть синие?", author: "Олег", chatName: "Олег" }),
    ]),
  });
  await page.goto("/knowledge?tab=messages");
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByRole("heading")).toHaveText(["Мария", "Олег"]);
  await expect(list.getByRole("listitem")).toContainText(["Когда привезёте?", "Завтра", "Есть синие?", "Да, есть"]);
  await page.getByRole("searchbox", { name: "Поиск по сообщениям" }).fill("завтра");
  await expect(list.getByRole("heading")).toHaveText(["Мария"]);
  await expect(list.getByRole("listitem")).toContainText(["Завтра"]);
});

test("five thousand rows: few are drawn, and typed words filter them without a call", async ({ page }) => {
  await answeringKnowledge(page, {
    // A search gets no answer: what is shown is filtered out of what has been read.
    "GET /api/knowledge-base/messages": (_route, request) =>
      queryOf(request).has("search") ? undefined : Array.from({ length: 5000 }, (_, n) => buildKnowledgeMessage(n)),
  });
  await page.goto("/knowledge?tab=messages");
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByText("Сообщение 0", { exact: true })).toBeVisible();
  expect(await list.getByRole("listitem").count()).toBeLessThan(30);
  const search = page.getByRole("searchbox", { name: "Поиск по сообщениям" });
  for (const word of ["4999", "3777", "2555"]) {
    await search.fill(word);
    await expect(list.getByRole("listitem")).toHaveCount(1);
    await expect(list.getByRole("listitem")).toContainText(word);
    await search.fill("");
    await expect(list.getByText("Сообщение 0", { exact: true })).toBeVisible();
  }
  expect(await list.getByRole("listitem").count()).toBeLessThan(30);
});

test("further pages come by key as one scrolls; a failed one can be tried again", async ({
  page,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 503/);
  const asked: (string | null)[] = [];
  let away = true;
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/messages": (route, request) => {
      const before = queryOf(request).get("before");
      asked.push(before);
      if (before === "k200" && away) return fails(503, "База данных временно недоступна")(route, request);
      const from = before === null ? 0 : Number(before.slice(1));
      const headers: Record<string, string> = from < 200 ? { "x-next-before": `k${from + 100}` } : {};
      return route.fulfill({ headers, json: Array.from({ length: 100 }, (_, n) => buildKnowledgeMessage(from + n)) });
    },
  });
  await page.goto("/knowledge?tab=messages");
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByText("Сообщение 0", { exact: true })).toBeVisible();
  const toEnd = () => list.evaluate((node) => node.scrollTo({ top: node.scrollHeight }));
  const failed = list.getByText(/Не удалось загрузить сообщения: База данных/);
  await expect(async () => {
    await toEnd();
    await expect(failed).toBeVisible({ timeout: 300 });
  }).toPass();
  away = false;
  await list.getByRole("button", { name: "Повторить" }).click();
  await expect(async () => {
    await toEnd();
    await expect(list.getByText("Сообщение 299", { exact: true })).toBeVisible({ timeout: 300 });
  }).toPass();
  expect(asked).toEqual([null, "k100", "k200", "k200"]);
});
