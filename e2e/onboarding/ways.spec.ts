// The wizard's other ways on the real server: what it does not know is taught, steps are skipped, calls fail.
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { atStep, buttonOf, NAME } from "./wizard.ts";

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
  // It knows nothing of this, so the question itself can be taught, or left.
  await expect(page.locator("blockquote")).toHaveText("Привет! Ты придёшь завтра?");
  await buttonOf(page, "Пропустить пока").click();
  await atStep(page, "Обратная связь");
  await expect(talk.getByRole("listitem").first()).toContainText("Привет! Ты придёшь завтра?");
  await page.goBack();
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
  await buttonOf(page, "Пропустить пока").click();
  await atStep(page, "Обратная связь");
  await page.getByRole("link", { name: "Пропустить пока" }).click();
  await expect(page).toHaveURL(/\/twin-settings\//);
});

test("a missing twin is reported", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/onboarding?twin=00000000-0000-4000-8000-000000000000&step=3");
  await expect(page.getByText("Агент не найден")).toBeVisible();
  await expect(page.getByRole("link", { name: "Вернуться к списку" })).toBeVisible();
});
