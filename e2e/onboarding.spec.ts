// The wizard on the real server: from a person's own export to a first answer that is judged; its other ways and states.
import type { Locator, Page } from "@playwright/test";
import { expectAccessible, wearTheme } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { keyboardOf } from "./keyboard.ts";
import { asNewUser } from "./session.ts";
import { telegramExport } from "./telegram-export.ts";

const NAME = "Лёша Синицын";
const CONSENT = /вправе использовать/;
const steps = (page: Page) => page.getByRole("list", { name: "Шаги знакомства" });
const atStep = (page: Page, name: string) =>
  expect(steps(page).locator('[aria-current="step"]'), `the step is «${name}»`).toContainText(name);
const card = (page: Page) => page.getByRole("region", { name: /^(Импорт данных|Анализ|Первый ответ|Обратная связь)$/ });
const english = (page: Page) => card(page).locator('[lang="en"][role="status"]');
const textOf = async (place: Locator) => (await place.textContent()) ?? "";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a person's export becomes a first answer beside their own, and what they think of it is kept", async ({
  page,
}) => {
  const exported = await telegramExport();
  const token = await asNewUser(page);
  const headers = { authorization: `Bearer ${token}` };
  await page.goto("/twins");
  await page.getByRole("link", { name: "Создать по шагам" }).click();

  await atStep(page, "Импорт данных");
  await expect(page.getByRole("radio")).toHaveCount(3);
  for (const source of ["Telegram", "WhatsApp", "Email"]) {
    await expect(page.getByRole("radio", { name: new RegExp(source) })).toBeVisible();
  }
  await expect(page.getByText("Переписка остаётся вашей")).toBeVisible();
  await expect(button(page, "Продолжить")).toBeDisabled();
  await page.getByLabel("Имя двойника").fill("   ");
  await expect(button(page, "Продолжить")).toBeDisabled();
  await page.getByLabel("Имя двойника").fill(`  ${NAME} `);
  await button(page, "Продолжить").click();

  await atStep(page, "Анализ");
  await expect(english(page)).toHaveText("Waiting for your messages...");
  await page.locator("input[type=file]").setInputFiles(exported.file);
  await expect(page.getByLabel("Кто здесь вы?")).toHaveValue(/.+/);
  await expect(page).toHaveURL(/import=/);
  // Nothing is lost when the page is left in the middle.
  await page.reload();
  await atStep(page, "Анализ");
  await expect(page.getByLabel("Кто здесь вы?").locator("option:checked")).toContainText(exported.owner);
  await page.getByRole("checkbox", { name: CONSENT }).check();
  await button(page, "Начать импорт").click();
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible({ timeout: 30_000 });
  await expect(english(page)).toHaveText("Analysis complete");
  await expect(card(page).locator("dd").first()).toHaveText(String(exported.privateMessages));
  await page.reload();
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible();
  await button(page, "Продолжить").click();

  await atStep(page, "Первый ответ");
  const twins = page.getByRole("region", { name: `Ответ двойника «${NAME}»` });
  const owners = page.getByRole("region", { name: "Ваш настоящий ответ" });
  await expect(twins.locator("p").first()).not.toBeEmpty();
  const incoming = await textOf(card(page).locator("blockquote"));
  const own = await textOf(owners.locator("p").first());
  const lines = JSON.stringify(JSON.parse(String(exported.file.buffer)));
  for (const text of [incoming, own]) {
    for (const line of text.split("\n")) expect(lines).toContain(JSON.stringify(line).slice(1, -1));
  }
  await expect(page).toHaveURL(/pair=.*reply=|reply=.*pair=/);
  const first = await textOf(twins.locator("p").first());
  await page.reload();
  await expect(twins.locator("p").first()).toHaveText(first);
  await button(page, "Другое сообщение").click();
  await expect(card(page).locator("blockquote")).not.toHaveText(incoming);
  const answer = await textOf(twins.locator("p").first());
  await button(page, "Продолжить").click();

  await atStep(page, "Обратная связь");
  await expect(english(page)).toHaveText("Waiting for your feedback...");
  await expect(card(page).getByRole("listitem").last()).toContainText(answer);
  await button(page, "Отправить отзыв").click();
  await expect(page.getByText("Поставьте оценку от 1 до 5")).toBeVisible();
  await page.getByRole("radio", { name: /^4/ }).check({ force: true });
  await page.getByLabel("Комментарий").fill("Похоже, но длинно");
  await page.getByLabel("Как бы вы ответили").fill("ага, буду");
  await button(page, "Отправить отзыв").click();
  await expect(page.getByText("Спасибо! Отзыв сохранён")).toBeVisible();
  const talk = new URL(page.url()).searchParams.get("talk");
  const kept = await (await page.request.get(`/api/conversations/${talk}/messages`, { headers })).json();
  expect(kept.at(-1)).toMatchObject({
    content: answer,
    feedback: { rating: 4, comment: "Похоже, но длинно", correction: "ага, буду" },
  });
  await page.getByRole("link", { name: "Готово" }).click();
  await expect(page).toHaveURL(/\/twin-settings\//);
  await expect(page.getByText(NAME).first()).toBeVisible();
});

test("the wizard is walked by keyboard alone", async ({ page }) => {
  const exported = await telegramExport();
  const { press, type, follow, choose, focus } = keyboardOf(page);
  await asNewUser(page);
  await page.goto("/onboarding");
  await type(page.getByLabel("Имя двойника"), NAME);
  await press("Enter");
  await choose(page.locator("input[type=file]"), exported.file);
  await focus(page.getByRole("checkbox", { name: CONSENT }));
  await press("Space");
  await follow(button(page, "Начать импорт"));
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible({ timeout: 30_000 });
  await follow(button(page, "Продолжить"));
  await expect(page.getByRole("heading", { level: 2, name: "Первый ответ" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Ваш настоящий ответ" })).toBeVisible();
  await follow(button(page, "Продолжить"));
  await expect(page.getByRole("heading", { level: 2, name: "Обратная связь" })).toBeFocused();
  await focus(page.getByRole("radio", { name: /^1/ }));
  for (let presses = 0; presses < 4; presses++) await press("ArrowRight");
  await expect(page.getByRole("radio", { name: /^5/ })).toBeChecked();
  await follow(button(page, "Отправить отзыв"));
  await follow(page.getByRole("link", { name: "Готово" }));
  await expect(page).toHaveURL(/\/twin-settings\//);
});

test("each step can be skipped; without history the twin is asked live", async ({ page }) => {
  const token = await asNewUser(page);
  await page.goto("/onboarding");
  await page.getByRole("link", { name: "Пропустить пока" }).click();
  await expect(page).toHaveURL("/dashboard");
  await page.getByRole("link", { name: "Создать по шагам" }).click();
  await page.getByLabel("Имя двойника").fill(NAME);
  await page.getByRole("radio", { name: /Email/ }).check();
  await button(page, "Продолжить").click();
  await expect(page.getByText("Перетащите файлы выгрузки сюда")).toBeVisible();
  await button(page, "Пропустить пока").click();
  await atStep(page, "Первый ответ");
  await expect(button(page, "Продолжить")).toBeDisabled();
  await page.getByLabel("Ваш вопрос").fill("Привет! Ты придёшь завтра?");
  await page.keyboard.press("Enter");
  const talk = page.getByRole("list", { name: "Вопрос и ответ" });
  await expect(talk.getByRole("listitem").first()).toContainText("Привет! Ты придёшь завтра?");
  await expect(page).toHaveURL(/reply=/);
  await page.reload();
  await expect(talk.getByRole("listitem").last()).not.toContainText("печатает");
  await button(page, "Продолжить").click();
  await atStep(page, "Обратная связь");
  await expect(talk.getByRole("listitem").first()).toContainText("Привет! Ты придёшь завтра?");
  await page.goBack();
  await atStep(page, "Первый ответ");
  // The test chat was deleted elsewhere: the next question begins another.
  const url = new URL(page.url());
  const gone = url.searchParams.get("talk");
  await page.request.delete(`/api/conversations/${gone}`, { headers: { authorization: `Bearer ${token}` } });
  await page.getByLabel("Ваш вопрос").fill("А послезавтра?");
  await button(page, "Спросить").click();
  await expect(talk.getByRole("listitem").first()).toContainText("А послезавтра?");
  await expect(page).not.toHaveURL(new RegExp(String(gone)));
  await button(page, "Продолжить").click();
  await page.getByRole("link", { name: "Пропустить пока" }).click();
  await expect(page).toHaveURL(/\/twin-settings\//);
});

test("pasted letters are learnt from as well", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/onboarding");
  await page.getByLabel("Имя двойника").fill(NAME);
  await button(page, "Продолжить").click();
  await button(page, "Нет файла? Вставить переписку").click();
  await expect(page.getByLabel("Платформа")).toHaveValue("telegram");
  await page.getByLabel("Имя участника").fill("Димон");
  await page
    .getByLabel("История переписки")
    .fill(
      [
        "Димон: Привет! Ты сегодня на репетицию придёшь?",
        "Вы: приду конечно, только задержусь немного",
        "Димон: А гитару сам возьмёшь или мне прихватить?",
        "Вы: сам возьму, ты лучше провод прихвати",
      ].join("\n"),
    );
  await button(page, "Загрузить переписку").click();
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible({ timeout: 30_000 });
  await button(page, "Продолжить").click();
  await expect(page.getByRole("region", { name: "Ваш настоящий ответ" })).toBeVisible();
});

test.describe("when something fails", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("the reason stands there, with a way on", async ({ page }) => {
    await asNewUser(page);
    const fault = (message: string) => ({ status: 503, json: { message, code: "unavailable", requestId: "r" } });
    await page.goto("/onboarding");
    await page.route("**/api/digital-twins", (route) =>
      route.request().method() === "POST" ? route.fulfill(fault("Сервер отдыхает")) : route.continue(),
    );
    await page.getByLabel("Имя двойника").fill(NAME);
    await button(page, "Продолжить").click();
    await expect(page.getByText("Ошибка создания", { exact: true })).toBeVisible();
    await expect(page.getByText("Сервер отдыхает").first()).toBeVisible();
    await expect(page.getByLabel("Имя двойника")).toHaveValue(NAME);
    await page.unroute("**/api/digital-twins");
    await button(page, "Продолжить").click();
    await atStep(page, "Анализ");

    // An export of something else is refused with its reason, and another file can be given.
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "result.json", mimeType: "application/json", buffer: Buffer.from('{"a":1}') });
    await expect(
      card(page)
        .getByRole("button", { name: /Загрузить другой файл|Продолжить/ })
        .or(card(page).getByRole("alert")),
    ).toBeVisible();

    const training = "**/api/digital-twins/*/training";
    await page.route(training, (route) =>
      route.fulfill({
        json: {
          status: "training",
          progress: 1,
          running: false,
          stage: null,
          error: "Обучение не завершилось: внутренняя ошибка. Мы повторим его позже.",
          passages: 0,
          exemplars: 3,
          messages: 12,
          meaning: null,
        },
      }),
    );
    await page.goto(page.url().replace(/&import=[^&]*/, ""));
    await expect(card(page).getByRole("alert")).toContainText("Обучение не завершилось: внутренняя ошибка");
    await expect(card(page).getByRole("link", { name: "Открыть обучение" })).toHaveAttribute("href", /train-ai\?twin=/);
    await page.unroute(training);

    const answer = "**/api/digital-twins/*/first-answer";
    await page.route(answer, (route) => route.fulfill(fault("Модель не отвечает")));
    await button(page, "Пропустить пока").click();
    await expect(card(page).getByRole("alert")).toContainText("Модель не отвечает");
    await page.unroute(answer);
    await card(page).getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByLabel("Ваш вопрос")).toBeVisible();
  });
});

test("a twin that is not there is told of", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/onboarding?twin=00000000-0000-4000-8000-000000000000&step=3");
  await expect(page.getByText("Агент не найден")).toBeVisible();
  await expect(page.getByRole("link", { name: "Вернуться к списку" })).toBeVisible();
});

test("every step is accessible, in light and wide as in dark and narrow, and fits 320 px", async ({ page }) => {
  await asNewUser(page);
  const twin = await intercepted(page);
  for (const [what, at] of [
    ["the first step", "/onboarding"],
    ["the analysis", `/onboarding?twin=${twin}&step=2`],
    ["the first answer", `/onboarding?twin=${twin}&step=3&pair=1`],
    ["the feedback", `/onboarding?twin=${twin}&step=4&talk=${twin}&reply=2`],
  ] as const) {
    await page.goto(at);
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await expect(page.getByText("Загрузка...")).toHaveCount(0);
    // Every other pairing of theme and width differs in nothing that these have not.
    for (const [width, theme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await wearTheme(page, theme);
      await expectAccessible(page, `${what}, ${width} px, ${theme}`);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBe(320);
  }
});

/** Answers for a twin in the middle of its training, with a first answer. */
async function intercepted(page: Page): Promise<string> {
  const id = "11111111-1111-4111-8111-111111111111";
  const now = "2025-11-20T07:01:00.000Z";
  const twin = {
    id,
    name: NAME,
    description: "Отвечает на сообщения вместо владельца",
    personality: "Пока не описана",
    communicationStyle: "Как в переписке владельца",
    expertise: [],
    status: "training",
    isActive: true,
    styleAccuracy: null,
    ownerId: id,
    lastTrainedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const question = "Ты сегодня на репетицию придёшь?";
  const reply = {
    response: "приду, куда я денусь",
    sources: [],
    exemplars: [],
    confidence: 0.72,
    basis: "recurring",
    reason: "Похожий вопрос уже был",
    conversationId: id,
    messageId: "2",
  };
  const line = { sources: [], confidence: null, durationMs: null, feedback: null, timestamp: now };
  await page.route(`**/api/digital-twins/${id}`, (route) => route.fulfill({ json: twin }));
  await page.route("**/training", (route) =>
    route.fulfill({
      json: {
        status: "training",
        progress: 0.4,
        running: true,
        stage: "Изучаем стиль",
        error: null,
        passages: 0,
        exemplars: 1240,
        messages: 5321,
      },
    }),
  );
  await page.route("**/first-answer", (route) =>
    route.fulfill({
      json: {
        pair: {
          id: "1",
          incoming: question,
          ownerReply: "буду, гитару уже взял",
          contactName: "Димон",
          repliedAt: now,
        },
        reply,
        more: true,
      },
    }),
  );
  await page.route(`**/api/conversations/${id}/messages`, (route) =>
    route.fulfill({
      json: [
        { ...line, id: "1", role: "user", content: question },
        { ...line, id: "2", role: "assistant", content: reply.response },
      ],
    }),
  );
  return id;
}
