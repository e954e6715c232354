// The wizard's other ways on the real server: what it does not know is taught, steps are skipped, calls fail.
import { buildTraining } from "../factories/twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { atStep, buttonOf, NAME, stepCard } from "./wizard.ts";

test("each step can be skipped; without history the twin is asked live", async ({ page }) => {
  const token = await asNewUser(page);
  await page.goto("/onboarding");
  await page.getByRole("link", { name: "Пропустить пока" }).click();
  await expect(page).toHaveURL("/dashboard");
  await page.getByRole("link", { name: "Создать по шагам" }).click();
  await page.getByLabel("Имя двойника").fill(NAME);
  await page.getByRole("radio", { name: /Email/ }).check();
  await buttonOf(page, "Продолжить").click();
  await expect(page.getByText("Перетащите файлы выгрузки сюда")).toBeVisible();
  await buttonOf(page, "Пропустить пока").click();
  await atStep(page, "Первый ответ");
  await expect(buttonOf(page, "Продолжить")).toBeDisabled();
  await page.getByLabel("Ваш вопрос").fill("Привет! Ты придёшь завтра?");
  await page.keyboard.press("Enter");
  const talk = page.getByRole("list", { name: "Вопрос и ответ" });
  await expect(talk.getByRole("listitem").first()).toContainText("Привет! Ты придёшь завтра?");
  await expect(page).toHaveURL(/reply=/);
  await page.reload();
  await expect(talk.getByRole("listitem").last()).not.toContainText("печатает");
  await buttonOf(page, "Продолжить").click();
  await atStep(page, "Обратная связь");
  await expect(talk.getByRole("listitem").first()).toContainText("Привет! Ты придёшь завтра?");
  await page.goBack();
  await atStep(page, "Первый ответ");
  // The test chat was deleted elsewhere: the next question begins another.
  const url = new URL(page.url());
  const gone = url.searchParams.get("talk");
  await page.request.delete(`/api/conversations/${gone}`, { headers: { authorization: `Bearer ${token}` } });
  await page.getByLabel("Ваш вопрос").fill("А послезавтра?");
  await buttonOf(page, "Спросить").click();
  await expect(talk.getByRole("listitem").first()).toContainText("А послезавтра?");
  await expect(page).not.toHaveURL(new RegExp(String(gone)));
  await buttonOf(page, "Продолжить").click();
  await page.getByRole("link", { name: "Пропустить пока" }).click();
  await expect(page).toHaveURL(/\/twin-settings\//);
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
    await buttonOf(page, "Продолжить").click();
    await expect(page.getByText("Ошибка создания", { exact: true })).toBeVisible();
    await expect(page.getByText("Сервер отдыхает").first()).toBeVisible();
    await expect(page.getByLabel("Имя двойника")).toHaveValue(NAME);
    await page.unroute("**/api/digital-twins");
    await buttonOf(page, "Продолжить").click();
    await atStep(page, "Анализ");

    // An export of something else is refused with its reason, and another file can be given.
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "result.json", mimeType: "application/json", buffer: Buffer.from('{"a":1}') });
    await expect(
      stepCard(page)
        .getByRole("button", { name: /Загрузить другой файл|Продолжить/ })
        .or(stepCard(page).getByRole("alert")),
    ).toBeVisible();

    const training = "**/api/digital-twins/*/training";
    await page.route(training, (route) =>
      route.fulfill({
        json: buildTraining({
          status: "training",
          error: "Обучение не завершилось: внутренняя ошибка. Мы повторим его позже.",
        }),
      }),
    );
    await page.goto(page.url().replace(/&import=[^&]*/, ""));
    await expect(stepCard(page).getByRole("alert")).toContainText("Обучение не завершилось: внутренняя ошибка");
    await expect(stepCard(page).getByRole("link", { name: "Открыть обучение" })).toHaveAttribute(
      "href",
      /train-ai\?twin=/,
    );
    await page.unroute(training);

    const answer = "**/api/digital-twins/*/first-answer";
    await page.route(answer, (route) => route.fulfill(fault("Модель не отвечает")));
    await buttonOf(page, "Пропустить пока").click();
    await expect(stepCard(page).getByRole("alert")).toContainText("Модель не отвечает");
    const before = page.url();
    await page.goto(`${before}&teach=any`);
    await expect(stepCard(page).getByRole("alert")).toContainText("Модель не отвечает");
    await page.unroute(answer);
    await stepCard(page).getByRole("button", { name: "Повторить" }).click();
    await expect(stepCard(page)).toContainText("проверять пока нечего");
    await page.route(answer, (route) => route.fulfill(fault("Модель не отвечает")));
    await page.goto(before);
    await expect(stepCard(page).getByRole("alert")).toContainText("Модель не отвечает");
    await page.unroute(answer);
    await stepCard(page).getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByLabel("Ваш вопрос")).toBeVisible();
  });
});

test("a twin that is not there is told of", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/onboarding?twin=00000000-0000-4000-8000-000000000000&step=3");
  await expect(page.getByText("Агент не найден")).toBeVisible();
  await expect(page.getByRole("link", { name: "Вернуться к списку" })).toBeVisible();
});
