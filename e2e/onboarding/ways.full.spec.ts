// The wizard's other ways on the real server: what it does not know is taught, steps are skipped, calls fail.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";
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
  await expect(stepCard(page).getByRole("status")).toContainText("Двойник запомнил: этому собеседнику");
  expect(await scopes()).toEqual(["contact"]);
  expect(await ask()).not.toMatchObject({ basis: "corrected" });
  await page.reload();
  await expect(stepCard(page).getByRole("status")).toContainText("Двойник запомнил: этому собеседнику");
  await buttonOf(page, "Отменить").click();
  await expect(page.getByLabel("Двойник ответит")).toBeFocused();
  expect(await scopes()).toEqual([]);
  // What the server refuses is said where it was written, and nothing is lost.
  await page.getByLabel("Двойник ответит").fill("Я живой человек, не робот");
  await buttonOf(page, "Научить").click();
  await expect(stepCard(page).getByRole("alert")).toContainText("не может говорить, что он живой человек");
  await page.getByLabel("Двойник ответит").fill("бирюзовый");
  await buttonOf(page, "Научить для всех").click();
  await expect(stepCard(page).getByRole("status")).toContainText("он всем ответит вашими словами");
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
