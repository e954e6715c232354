// The wizard with documents alone, on the real server: an answer with its source, an honest «не знаю» that is taught, the chat for a site.
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { expectToast } from "../support/toast.ts";
import { atStep, buttonOf, stepCard } from "./wizard.ts";

const TERMS =
  "Доставка по Москве стоит 350 рублей, за МКАД курьер не ездит.\n\nЧайная лавка «Лист» открыта каждый день с 10 до 21 часа.";

test("a document alone gives a first answer with its source, then an honest «не знаю» that is taught at once", async ({
  page,
}) => {
  await asNewUser(page);
  await page.goto("/onboarding");
  await page.getByLabel("Имя двойника").fill("Лавка");
  const documents = page.getByRole("region", { name: "Документы" });
  const chooser = page.waitForEvent("filechooser");
  await documents.getByRole("button", { name: "Выбрать документы" }).click();
  await (await chooser).setFiles({ name: "условия_доставки.txt", mimeType: "text/plain", buffer: Buffer.from(TERMS) });
  await documents.getByRole("button", { name: "Вставить текст" }).click();
  await documents.getByLabel("Текст документа").fill("Коротко");
  await documents.getByRole("button", { name: "Добавить текст" }).click();
  await expect(documents.getByText("Содержимое должно быть минимум 50 символов")).toBeVisible();
  await documents
    .getByLabel("Текст документа")
    .fill("Сорта чая\nПродаём пуэр, улун и белый чай, всё из одного хозяйства в Юньнани.");
  await documents.getByRole("button", { name: "Добавить текст" }).click();
  await expect(documents.getByRole("listitem")).toContainText([/условия_доставки\.txt/, /Сорта чая\.txt/]);
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Анализ");
  await expect(stepCard(page).getByRole("list", { name: "Документы" }).getByText("загружен")).toHaveCount(2);
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible();
  await expect(stepCard(page)).toContainText("прочитал ваши документы");
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Первый ответ");
  const talk = page.getByRole("list", { name: "Вопрос и ответ" });
  await expect(talk.getByRole("listitem").last()).toContainText(/350 рублей|с 10 до 21/);
  await expect(stepCard(page).getByText("Из документа «условия доставки»")).toBeVisible();
  await expect(buttonOf(page, "Спросить")).toBeVisible();
  await buttonOf(page, "Продолжить").click();

  await expect(page.getByText("Не знает — и честно говорит об этом")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Не знает — и честно говорит об этом")).toBeVisible();
  await page.getByLabel("Двойник ответит").fill("Картой, наличными или по счёту");
  await buttonOf(page, "Научить").click();
  await expect(page.getByText(/Двойник запомнил: на\sтакой вопрос он всем ответит/)).toBeVisible();
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Обратная связь");
  await expect(talk).toContainText(/350 рублей|с 10 до 21/);
  await page.getByRole("link", { name: "Поставить чат на сайт" }).click();
  await expect(page).toHaveURL(/\/twin-access\/[0-9a-f-]+\?tab=widget$/);
  await expect(page.getByRole("heading", { level: 1, name: "Чат на сайте" })).toBeVisible();
});

test("a document that is given while the twin is being created is not lost", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/onboarding");
  const held = Promise.withResolvers<void>();
  await page.route("**/api/digital-twins", async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  await page.getByLabel("Имя двойника").fill("Лавка");
  await buttonOf(page, "Продолжить").click();
  await expect(buttonOf(page, "Создание...")).toBeDisabled();
  const chooser = page.waitForEvent("filechooser");
  await buttonOf(page, "Выбрать документы").click();
  await (await chooser).setFiles({ name: "условия.txt", mimeType: "text/plain", buffer: Buffer.from(TERMS) });
  await expect(page.getByRole("listitem").filter({ hasText: "условия.txt" })).toBeVisible();
  held.resolve();
  await atStep(page, "Анализ");
  await expect(page.getByRole("list", { name: "Документы", exact: true })).toContainText("условия.txt");
});

test("pasted text is sent with the form although its own button was not pressed, and a text too short is reported before", async ({
  page,
}) => {
  await asNewUser(page);
  await page.goto("/onboarding");
  await page.getByLabel("Имя двойника").fill("Лавка");
  await buttonOf(page, "Вставить текст").click();
  await page.getByLabel("Текст документа").fill("Коротко");
  await buttonOf(page, "Продолжить").click();
  await expectToast(page, "Текст документа", "Содержимое должно быть минимум 50 символов");
  await page.getByLabel("Текст документа").fill(TERMS);
  await buttonOf(page, "Продолжить").click();
  await atStep(page, "Анализ");
  await expect(page.getByRole("list", { name: "Документы", exact: true })).toContainText("Доставка по Москве");
});
