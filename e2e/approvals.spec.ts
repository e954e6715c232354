// A contact writes to a bot that was connected by the form: the draft is seen, changed and sent; the owner takes the talk over and gives it back.
import { expectAccessible } from "./accessibility.ts";
import { expect, test } from "./bot.ts";
import { asNewUser } from "./session.ts";
import { expectToast } from "./toast.ts";

test.use({ allowedConsoleErrors: [/status of 50\d/] });

test("a draft is approved in the owner's words, a talk is taken over and given back", async ({ page, bot }) => {
  const headers = { authorization: `Bearer ${await asNewUser(page)}` };
  const twin = {
    name: "Анна Чайникова",
    description: "Отвечает на вопросы о чае и доставке",
    personality: "Спокойная и внимательная, шутит к месту",
    communicationStyle: "Коротко и на вы",
    knowledgeArea: "Чай и кофе",
  };
  await page.request.post("/api/digital-twins", { headers, data: twin });
  await page.goto("/add-integration");
  await page.getByLabel("Цифровой двойник").selectOption("Анна Чайникова");
  await page.getByLabel("Платформа").selectOption("telegram");
  await page.getByLabel("Bot Token", { exact: true }).fill(bot.token);
  await page.getByRole("button", { name: "Создать интеграцию" }).click();
  await expectToast(page, "Интеграция создана!");

  await bot.say("Сколько стоит доставка?");
  await page.goto("/conversations?tab=approval");
  const queue = page.getByRole("list", { name: "Ответы, которые ждут решения" });
  const card = queue.getByRole("article", { name: "Иван" });
  await expect(card).toContainText("Сколько стоит доставка?", { timeout: 15_000 });
  await expect(card).toContainText("Каждый ответ ждёт вашего одобрения · Уверенность");
  await expectAccessible(page, "approvals");
  await card.getByRole("button", { name: "Изменить" }).click();
  await card.getByRole("textbox", { name: "Ваш ответ" }).fill("Триста рублей, привезём завтра.");
  await card.getByRole("button", { name: "Отправить" }).click();
  await expect.poll(bot.sent, { timeout: 15_000 }).toHaveLength(1);
  expect((await bot.sent())[0]).toBe(
    "Отвечает ИИ-помощник: цифровой двойник «Анна Чайникова».\n\nТриста рублей, привезём завтра.",
  );
  await expect(page.getByRole("tabpanel")).toContainText("Ничто не ждёт одобрения");

  await bot.say("А послезавтра?");
  await expect(card).toContainText("А послезавтра?", { timeout: 15_000 });
  await card.getByRole("button", { name: "Отклонить" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("Ничто не ждёт одобрения");

  await page.getByRole("tab", { name: "Все" }).click();
  await page.getByRole("button", { name: /^Открыть чат/ }).click();
  const thread = page.getByRole("region", { name: "Диалог: Иван" });
  await expect(thread).toContainText("Собеседнику отвечает двойник");
  await expect(thread).toContainText("Триста рублей, привезём завтра.");
  await thread.getByRole("button", { name: "Вести самому" }).click();
  await expect(thread).toContainText("Диалог ведёте вы: двойник молчит");
  await page.getByRole("tab", { name: "Веду я" }).click();
  await expect(page.getByRole("list", { name: "Диалоги" }).getByRole("listitem")).toHaveCount(1);
  await expectAccessible(page, "approvals");
  await thread.getByRole("button", { name: "Вернуть двойнику" }).click();
  await expect(thread).toContainText("Собеседнику отвечает двойник");
  expect(await bot.sent()).toHaveLength(1);
});

for (const width of [320, 1440]) {
  test(`the queue is read and decided at ${width} px, and its failure is told`, async ({ page }) => {
    await asNewUser(page);
    const waiting = (id: string, more: object = {}) => ({
      id,
      conversationId: "00000000-0000-4000-8000-000000000001",
      twinId: "00000000-0000-4000-8000-000000000002",
      twinName: "Анна Чайникова",
      platform: "telegram",
      contactName: "Константин Константинопольский из отдела снабжения",
      author: "twin",
      question: "Сколько стоит доставка? ".repeat(6),
      text: "Доставка стоит 350 рублей. ".repeat(8),
      state: "draft",
      reason: "Двойник не уверен в ответе",
      confidence: 0.42,
      sources: [{ documentId: "1", name: "Доставка и оплата.md", text: "Доставка стоит 350 рублей." }],
      createdAt: new Date().toISOString(),
      undoUntil: null,
      ...more,
    });
    await page.setViewportSize({ width, height: 900 });
    let fails = true;
    await page.route("**/api/approvals", (route) =>
      fails
        ? route.fulfill({
            status: 503,
            json: { message: "База данных временно недоступна", code: "x", requestId: "1" },
          })
        : route.fulfill({ json: [waiting("1"), waiting("2", { state: "unknown", reason: "Связь прервалась" })] }),
    );
    await page.route("**/api/conversations?*", (route) => route.fulfill({ json: [dialogue] }));
    await page.route("**/api/conversations", (route) => route.fulfill({ json: [dialogue] }));
    await page.goto("/conversations?tab=approval");
    await expect(page.getByRole("tabpanel")).toContainText("Не удалось загрузить ответы", { timeout: 15_000 });
    fails = false;
    await page.getByRole("tabpanel").getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByRole("article")).toHaveCount(2);
    await expect(page.getByRole("article").nth(1)).toContainText("Неизвестно, дошло ли");
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(await overflow()).toBe(false);
    await page.getByRole("button", { name: "Доставка и оплата.md" }).first().click();
    await expect(page.getByRole("dialog", { name: "Доставка и оплата.md" })).toContainText("350 рублей");
    await page.keyboard.press("Escape");
    await expectAccessible(page, "approvals");
  });
}

const dialogue = {
  id: "00000000-0000-4000-8000-000000000001",
  twinId: "00000000-0000-4000-8000-000000000002",
  twinName: "Анна Чайникова",
  participants: { name: "Константин", status: "active" },
  platform: "telegram",
  lastMessage: "Сколько стоит доставка?",
  messageCount: 1,
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-20T10:00:00.000Z",
  lead: "twin",
  unread: 1,
  cursor: "2026-11-20T10:00:00.000000Z,00000000-0000-4000-8000-000000000001",
};
