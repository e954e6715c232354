// The wizard's other ways on the real server: what it does not know is taught, steps are skipped, calls fail.
import type { Page } from "@playwright/test";
import { buildTraining } from "../factories/twin.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";
import { asNewUser } from "../support/session.ts";
import { atStep, buttonOf, NAME, stepCard, textOf } from "./wizard.ts";

test("what the twin knows best is shown first, then what it does not know: one press teaches it for the contact, a button of its own for all", async ({
  page,
}) => {
  const {
    id: twin,
    post,
    get,
  } = await withLearntTwin(
    page,
    "Какой оттенок краски выбрали для забора на даче?",
    "тот самый бирюзовый из каталога",
    "Где ты обычно покупаешь струны для гитары?",
    "беру на Савёловской у Палыча",
    "А где ты обычно покупаешь струны для своей гитары?",
    "на Савёловской у Палыча беру всегда",
  );
  await page.goto(`/onboarding?twin=${twin}&step=3`);
  await expect(stepCard(page).locator("blockquote")).toContainText("струны");
  const best = await textOf(stepCard(page).locator("blockquote"));
  await buttonOf(page, "Продолжить").click();
  await expect(stepCard(page).locator("blockquote")).toContainText("струны");
  await expect(stepCard(page).locator("blockquote")).not.toHaveText(best);
  await buttonOf(page, "Продолжить").click();
  await expect(stepCard(page).locator("blockquote")).toHaveText("Какой оттенок краски выбрали для забора на даче?");
  await expect(stepCard(page)).toContainText("А этого двойник пока не знает");
  await expect(page.getByLabel("Двойник ответит")).toHaveValue("тот самый бирюзовый из каталога");
  const ask = () =>
    post("/api/ai-generate", { twinId: twin, message: "Какой оттенок краски выбрали для забора на даче?" });
  const scopes = async () =>
    (await get(`/api/digital-twins/${twin}/corrections`)).corrections.map(({ scope }: { scope: string }) => scope);
  // Nothing is preset for all, and who would see it is said before the press.
  await expect(stepCard(page).getByRole("combobox")).toHaveCount(0);
  await expect(stepCard(page)).toContainText(
    "Научить: так двойник ответит только собеседнику Димон. Научить для всех: ответ увидят все, кто спросит похожее. Пока об этом спросил один человек.",
  );
  await buttonOf(page, "Научить").click();
  await expect(stepCard(page).getByRole("status").last()).toContainText("Двойник запомнил: этому собеседнику");
  expect(await scopes()).toEqual(["contact"]);
  expect(await ask()).not.toMatchObject({ basis: "corrected" });
  await page.reload();
  await expect(stepCard(page).getByRole("status").last()).toContainText("Двойник запомнил: этому собеседнику");
  await buttonOf(page, "Отменить").click();
  await expect(page.getByLabel("Двойник ответит")).toBeFocused();
  expect(await scopes()).toEqual([]);
  // What the server refuses is said where it was written, and nothing is lost.
  await page.getByLabel("Двойник ответит").fill("Я живой человек, не робот");
  await buttonOf(page, "Научить").click();
  await expect(stepCard(page).getByRole("alert")).toContainText("не может говорить, что он живой человек");
  await page.getByLabel("Двойник ответит").fill("бирюзовый");
  await buttonOf(page, "Научить для всех").click();
  await expect(stepCard(page).getByRole("status").last()).toContainText("он всем ответит вашими словами");
  expect(await scopes()).toEqual(["everybody"]);
  expect(await ask()).toMatchObject({ basis: "corrected", response: expect.stringContaining("бирюзовый") });
  await buttonOf(page, "Продолжить").click();
  await atStep(page, "Обратная связь");
  // Judged is an answer, not the lesson.
  await expect(stepCard(page).locator("blockquote")).toContainText("струны");
});

/** A twin of its own that has learnt these letters with one person. */
async function withLearntTwin(page: Page, ...lines: string[]) {
  const owner = await asOwner(page, { name: NAME });
  await uploadTalk(owner, "Димон", 1, ...lines);
  const status = async () => (await owner.get(`/api/digital-twins/${owner.id}/training`)).status;
  await expect.poll(status, { timeout: 30_000 }).toBe("ready");
  return owner;
}

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
    await expect(stepCard(page)).toContainText("Не знает — и честно говорит об этом");
    await page.route(answer, (route) => route.fulfill(fault("Модель не отвечает")));
    await page.goto(before);
    await expect(stepCard(page).getByRole("alert")).toContainText("Модель не отвечает");
    await page.unroute(answer);
    await stepCard(page).getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByLabel("Ваш вопрос")).toBeVisible();
  });
});
