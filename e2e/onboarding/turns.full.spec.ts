// Whose turn it is: what the wizard shows while the product works, and what while the person must act.
// What turns.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";
import { asNewUser } from "../support/session.ts";
import { QUESTIONS } from "./turns-parts.ts";
import { atStep, buttonOf, CONSENT, english, NAME, stepCard } from "./wizard.ts";

const WHATSAPP = {
  name: "chat.txt",
  mimeType: "text/plain",
  buffer: Buffer.from(
    Array.from({ length: 30 }, (_, at) => [
      `12.03.25, 10:${10 + at} - Димон: ${at < 2 ? QUESTIONS[at] : `Что там с репетицией номер ${at}, придёшь?`}`,
      `12.03.25, 10:${10 + at} - Лёша: ${at < 2 ? "кароч на Савёловской у Палыча беру)" : `кароч приду, струны возьму ${"да".repeat(at % 4)})`}`,
    ])
      .flat()
      .join("\n"),
  ),
};

test("a WhatsApp file chooses WhatsApp; until the import has begun the line says what it waits for, and the two ways out say how they differ", async ({
  page,
}) => {
  await asNewUser(page);
  await page.goto("/onboarding");
  await expect(page.getByRole("radio", { name: /Telegram/ })).toBeChecked();
  await page.locator("input[type=file]").first().setInputFiles(WHATSAPP);
  await expect(page.getByRole("radio", { name: /WhatsApp/ })).toBeChecked();
  await page.getByLabel("Имя двойника").fill("Лёша Синицын");
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Анализ");
  await expect(page.getByRole("checkbox", { name: CONSENT })).toBeVisible();
  await expect(page).toHaveURL(/source=whatsapp/);
  await expect(english(page)).toHaveText("Waiting for your choice...");
  await expect(stepCard(page)).not.toContainText("читает вашу переписку");
  await expect(stepCard(page)).toContainText("Скажите, кто в нём вы");
  await expect(stepCard(page)).toContainText("«Отменить импорт» удалит файл");
  await expect(stepCard(page)).toContainText("«Пропустить пока» оставит его на сутки");
  // What is said of skipping holds.
  await buttonOf(page, "Пропустить пока").click();
  await atStep(page, "Первый ответ");
  await page.goBack();
  // The file does not say who is who: the twin's own name does.
  await expect(page.getByLabel("Кто здесь вы?").locator("option:checked")).toContainText("Лёша");
  await expect(page.getByText("Выбрали по имени двойника")).toBeVisible();
  await page.getByRole("checkbox", { name: CONSENT }).check();
  await buttonOf(page, "Начать импорт").click();
  await expect(stepCard(page)).toContainText("прочитал вашу переписку", { timeout: 30_000 });
  await expect(english(page)).toHaveText("Communication style analyzed, the first answer is next...");
  await expect(page.getByRole("region", { name: "Портрет вашей речи" })).toContainText("«кароч»");
});

test("each part of the third step has its number, and a twin that answers nothing well begins with what it can be taught", async ({
  page,
}) => {
  const owner = await asOwner(page, { name: NAME });
  const learnt = async () => (await owner.get(`/api/digital-twins/${owner.id}/training`)).status;
  await uploadTalk(
    owner,
    "Димон",
    1,
    "Во сколько завтра начинается концерт в клубе?",
    "точно не знаю",
    "А во сколько завтра начинается тот концерт в клубе?",
    "точно не знаю, честно",
  );
  await expect.poll(learnt, { timeout: 30_000 }).toBe("ready");
  await page.goto(`/onboarding?twin=${owner.id}&step=3`);
  await expect(stepCard(page)).toContainText("не знает");
  await expect(buttonOf(page, "Научить")).toBeVisible();
  await buttonOf(page, "Пропустить пока").click();
  await atStep(page, "Обратная связь");
  await expect(page.getByRole("link", { name: "Подключить Telegram" })).toBeVisible();
});
