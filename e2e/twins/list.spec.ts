// Section 2, Twins list: what stands on it, what it says while waiting, when empty and when the call fails; its search.
import { buildApproval } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, fails, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { heading, link, one, specify, text, texts } from "../support/specify.ts";
import { row } from "./list-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });
const daysAgo = (days: number) => ({ createdAt: new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString() });
const anna = buildTwin(1, { ...daysAgo(2), name: "Анна" });
const oleg = buildTwin(2, { ...daysAgo(2), name: "Олег", isActive: false, status: "training" });
const list = { "GET /api/digital-twins": json([anna, oleg, buildTwin(3, daysAgo(40))]) };

specify("2. Twins list (/twins)", {
  at: "/twins",
  inSight: true,
  answers: list,
  calls: ["GET /api/digital-twins"],
  shows: [
    heading("Цифровые двойники"),
    text("Анна"),
    text("Отвечает на вопросы о чае, линия 1"),
    one("Анна's badge", (page) => row(page, "Анна").getByText("Активен", { exact: true })),
    one("Олег's badge", (page) => row(page, "Олег").getByText("Неактивен", { exact: true })),
    link("Настройки", `/twin-settings/${uuid(1)}`),
    link("Редактировать", `/edit-twin/${uuid(1)}`),
    link("Обучить ИИ", "/train-ai"),
    link("Добавить интеграцию", "/add-integration"),
    one("create", (page) => page.getByRole("link", { name: "Create Twin" }), { href: "/create-twin" }),
    texts("four figures", (page) => page.locator("main dl"), [
      "Всего двойников3",
      "Активные2",
      "Неактивные1",
      "В этом месяце2",
    ]),
  ],
  hides: [one("search", (page) => page.getByRole("searchbox"))],
  states: [
    {
      name: "empty",
      answers: { "GET /api/digital-twins": json([]) },
      shows: [
        text("Пока нет цифровых двойников"),
        link("Создать первого двойника", "/create-twin"),
        link("Обучить ИИ", "/train-ai"),
        link("Добавить интеграцию", "/add-integration"),
        one("create", (page) => page.getByRole("link", { name: "Create Twin" }), { href: "/create-twin" }),
        texts("four figures", (page) => page.locator("main dl"), [
          "Всего двойников0",
          "Активные0",
          "Неактивные0",
          "В этом месяце0",
        ]),
      ],
    },
  ],
});

test("a row says what waits in its twin and leads there, and says nothing where nothing waits", async ({ page }) => {
  const facts = `/api/digital-twins/${uuid(1)}/chat-facts`;
  await answering(page, {
    ...list,
    "GET /api/approvals": json([
      buildApproval(1, { twinId: uuid(1), state: "draft" }),
      buildApproval(2, { twinId: uuid(1), state: "failed" }),
    ]),
    [`GET ${facts}`]: json({ counts: { left: 21, total: 30 }, facts: [], looking: false }),
    [`GET /api/digital-twins/${uuid(1)}/gaps/count`]: json({ open: 1 }),
    [`GET /api/digital-twins/${uuid(2)}/gaps/count`]: json({ open: 0 }),
  });
  await page.goto("/twins");
  const waiting = page.getByRole("list", { name: "Ждёт вас: Анна" }).getByRole("link");
  await expect(waiting).toHaveText(["Черновики: 1", "Факты на\u00a0проверку: 21", "Пробелы: 1"]);
  await expect(waiting.last()).toHaveAttribute("href", `/twin-gaps/${uuid(1)}`);
  await expect(page.getByRole("list", { name: /^Ждёт вас/ })).toHaveCount(1);
  await expectAccessibleCrosswise(page, "/twins, something waits");
});

test("waits with words, and a failed reading can be tried again", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  let failing = true;
  await answering(page, {
    "GET /api/digital-twins": async (route, request) => {
      await held.promise;
      return (failing ? fails(503, "База данных недоступна") : json([buildTwin(1)]))(route, request);
    },
  });
  await page.goto("/twins");
  await expect(page.getByRole("status").getByText("Загружаем двойников...")).toBeVisible();
  held.resolve();
  await expect(page.getByRole("alert")).toContainText("Не удалось загрузить двойников");
  await expect(page.getByRole("alert")).toContainText("База данных недоступна");
  failing = false;
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(row(page, "Двойник 1")).toBeVisible();
});

test("without twins the way in is the dashboard's, by steps from a chat, and words are the other", async ({ page }) => {
  await answering(page, listOf());
  await page.goto("/twins");
  const first = page.getByRole("region", { name: "Пока нет цифровых двойников" });
  await expect(first.getByRole("link", { name: "Создать по шагам из переписки" })).toHaveAttribute(
    "href",
    "/onboarding",
  );
  await first.getByRole("link", { name: "Создать первого двойника" }).click();
  await expect(page).toHaveURL("/create-twin");
});
