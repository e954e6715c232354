// «Состояние», the page on which the platform's administrator sees how the server is.
import { buildHealth } from "../factories/health.ts";
import { buildUser } from "../factories/people.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { fails, hangs, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { asDemoUser } from "../support/session.ts";
import { button, heading, one, specify, text } from "../support/specify.ts";
import { asSuperAdmin } from "../support/super-admin.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const withoutFailure = buildHealth({
  state: "attention",
  facts: [
    ...buildHealth().facts.filter(({ id }) => id !== "disk"),
    { id: "letters", title: "Письма", state: "unset", summary: "Письма не\u00a0уходят", rows: [] },
  ],
});

specify("Состояние (/platform-health), for the platform's administrator", {
  at: "/platform-health",
  answers: {
    "GET /api/auth/verify": json({ user: buildUser({ superAdmin: true }) }),
    "GET /api/admin/health": json(buildHealth()),
  },
  calls: ["GET /api/admin/health"],
  shows: [
    heading("Состояние"),
    text("Часть сервера не работает: диск."),
    text(/^Не\sнастроено: резервная копия, уведомления о\sсбоях\. Обновлено в/),
    // What is in order is a line, and its figures are folded away.
    heading("В порядке"),
    text("Отвечает"),
    heading("Диск"),
    text("Места почти нет, загрузки не принимаются"),
    heading("Каналы"),
    text("Внимание"),
    text("Сбой"),
    heading("Резервная копия"),
    text(/BACKUP_FOLDER=/),
    one("copies the lines", (page) => page.getByRole("button", { name: "Копировать: BACKUP_FOLDER" })),
  ],
  states: [
    { name: "while it loads", answers: { "GET /api/admin/health": hangs }, shows: [text("Узнаём состояние...")] },
    {
      name: "when nobody has set up backups and letters",
      answers: { "GET /api/admin/health": json(withoutFailure) },
      shows: [
        text("Сервер работает, но требует внимания: резервная копия, каналы."),
        text(/^Не\sнастроено: письма, уведомления о\sсбоях\./),
        text("Не настроено"),
        one("badge of the backup", (page) =>
          page.getByRole("region", { name: "Резервная копия" }).getByText("Внимание"),
        ),
      ],
    },
    {
      name: "when all is well",
      answers: { "GET /api/admin/health": json(buildHealth({ state: "ok", facts: [], alertWays: ["mail"] })) },
      shows: [text("Сервер работает исправно.")],
    },
    {
      name: "when all is well that has been set up",
      full: true,
      answers: { "GET /api/admin/health": json(buildHealth({ state: "ok", facts: [] })) },
      shows: [text("Сервер работает исправно."), text(/^Не\sнастроено: уведомления о\sсбоях\./)],
    },
    {
      name: "when nobody is told of failures",
      full: true,
      answers: { "GET /api/admin/health": json(buildHealth()) },
      shows: [heading("Уведомления о сбоях"), text(/^Сервер никому не\sсообщает о\sсбоях/), text(/ALERT_EMAIL=/)],
    },
    {
      name: "when failures are told by mail and Telegram",
      full: true,
      answers: { "GET /api/admin/health": json(buildHealth({ alertWays: ["mail", "telegram"] })) },
      shows: [text("Сервер сообщает о сбоях на почту и в Telegram"), button("Проверить уведомления")],
    },
    {
      name: "when it cannot be read",
      answers: { "GET /api/admin/health": fails(503, "База данных временно недоступна") },
      shows: [text("Не удалось узнать состояние"), text("База данных временно недоступна"), button("Повторить")],
    },
  ],
  acts: [
    {
      name: "what only an engineer asks for opens",
      does: (page) => page.getByText("Подробности").click(),
      shows: [text("12 мс"), text("machine-1, процесс 4101, показывает эту страницу"), text("150 МБ")],
    },
  ],
});

test("the page is reached from the administration, shows the server's own figures and is accessible", async ({
  page,
}) => {
  test.slow();
  await asSuperAdmin(page);
  await page.goto("/admin");
  const { follow } = keyboardOf(page);
  await follow(page.getByRole("link", { name: /^Состояние/ }));
  await expect(page).toHaveURL("/platform-health");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Состояние");
  for (const name of ["База данных", "Диск", "Очереди заданий", "Каналы", "Модель", "Память и задержка", "Сервер"]) {
    await expect(page.getByRole("main").getByText(name, { exact: true }).first()).toBeVisible();
  }
  // The row says what the notice on /admin says.
  await expect(page.getByRole("region", { name: "Письма" })).toContainText("SMTP_URL=");
  await expect(page.getByText("Куча")).toBeHidden();
  await page.getByText("Подробности").click();
  await expect(page.getByText("Куча")).toBeVisible();
  await expect(page.getByText(/^\d+\.\d+\.\d+$/).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Процессы" }).getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Процессы" })).toContainText("Веб и фоновая работа");
  await expectAccessibleCrosswise(page, "/platform-health");
  await expectFitsNarrowPhone(page);
});

test.describe("as time goes", () => {
  test.use({ ownContext: true });

  test("the page reloads automatically, and keeps its data when that fails", async ({ page }) => {
    await page.clock.install();
    await asSuperAdmin(page);
    await page.goto("/platform-health");
    await expect(page.getByRole("region", { name: "В порядке" })).toBeVisible();
    await page.route("**/api/admin/health", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        body: JSON.stringify({ message: "База спит", code: "database_away", requestId: "r1" }),
      }),
    );
    await page.clock.runFor(11_000);
    await expect(page.getByRole("alert")).toContainText("Не удалось обновить состояние");
    await expect(page.getByRole("alert")).toContainText("База спит");
    await expect(page.getByRole("region", { name: "В порядке" })).toBeVisible();
    await page.unroute("**/api/admin/health");
    await page.clock.runFor(11_000);
    await expect(page.getByRole("alert")).toHaveCount(0);
  });
});

test("a user who does not run the platform finds no link, and the page says calmly who may see it", async ({
  page,
}) => {
  // Makes the installation's administrator, without whom the page says how to become one; the demo user, who enters last, is signed in.
  await asSuperAdmin(page);
  await asDemoUser(page);
  await page.goto("/admin");
  await expect(page.getByRole("note")).toContainText("Настоящие данные видит администратор платформы.");
  await expect(page.getByRole("link", { name: /^Состояние/ })).toHaveCount(0);
  await page.goto("/platform-health");
  await expect(page.getByText("Состояние сервера видит администратор платформы")).toBeVisible();
  // Nothing has failed, and asking again would change nothing.
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Повторить" })).toHaveCount(0);
  await expectAccessibleCrosswise(page, "the server's state for others");
  await page.getByRole("link", { name: "К настройкам" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ваши настройки");
});
