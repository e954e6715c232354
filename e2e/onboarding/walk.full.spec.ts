// The wizard on the real server: from a person's own letters to a first answer that is judged, by pointer and by keyboard.
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { asNewUser } from "../support/session.ts";
import { telegramExport } from "../support/telegram-export.ts";
import { atStep, buttonOf, CONSENT, english, NAME, stepCard, textOf } from "./wizard.ts";

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
  await follow(buttonOf(page, "Начать импорт"));
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible({ timeout: 30_000 });
  await follow(buttonOf(page, "Продолжить"));
  await expect(page.getByRole("heading", { level: 2, name: "Первый ответ" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Ваш настоящий ответ" })).toBeVisible();
  const best = await textOf(stepCard(page).locator("blockquote"));
  await follow(buttonOf(page, "Продолжить"));
  await expect(stepCard(page).locator("blockquote")).not.toHaveText(best);
  await expect(page.getByRole("heading", { level: 2, name: "Первый ответ" })).toBeFocused();
  await expect(page.getByLabel("Двойник ответит")).not.toHaveValue("");
  await follow(buttonOf(page, "Научить"));
  await follow(buttonOf(page, "Отменить"));
  await expect(page.getByLabel("Двойник ответит")).toBeFocused();
  await follow(buttonOf(page, "Научить"));
  await follow(buttonOf(page, "Продолжить"));
  await expect(page.getByRole("heading", { level: 2, name: "Обратная связь" })).toBeFocused();
  await focus(page.getByRole("radio", { name: /^1/ }));
  for (let presses = 0; presses < 4; presses++) await press("ArrowRight");
  await expect(page.getByRole("radio", { name: /^5/ })).toBeChecked();
  await follow(buttonOf(page, "Отправить отзыв"));
  await follow(page.getByRole("link", { name: "Готово" }));
  await expect(page).toHaveURL(/\/twin-settings\//);
});

test("pasted letters are learnt from as well", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/onboarding");
  await page.getByLabel("Имя двойника").fill(NAME);
  await buttonOf(page, "Продолжить").click();
  await buttonOf(page, "Нет файла? Вставить переписку").click();
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
  await buttonOf(page, "Загрузить переписку").click();
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible({ timeout: 30_000 });
  await buttonOf(page, "Продолжить").click();
  await expect(page.getByRole("region", { name: "Ваш настоящий ответ" })).toBeVisible();
});

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
  await page.getByLabel("Имя двойника").fill(`  ${NAME} `);
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Анализ");
  await expect(english(page)).toHaveText("Waiting for your messages...");
  await expect(stepCard(page)).toContainText("нужна ваша переписка или документы");
  await page.locator("input[type=file]").setInputFiles(exported.file);
  await expect(page.getByLabel("Кто здесь вы?")).toHaveValue(/.+/);
  await expect(page).toHaveURL(/import=/);
  // Nothing is lost when the page is left in the middle.
  await page.reload();
  await atStep(page, "Анализ");
  await expect(page.getByLabel("Кто здесь вы?").locator("option:checked")).toContainText(exported.owner);
  await page.getByRole("checkbox", { name: CONSENT }).check();
  await buttonOf(page, "Начать импорт").click();
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible({ timeout: 30_000 });
  await expect(english(page)).toHaveText("Communication style analyzed, the first answer is next...");
  await expect(stepCard(page)).toContainText("прочитал вашу переписку");
  await expect(stepCard(page).locator("dd").first()).toHaveText(String(exported.privateMessages));
  await page.reload();
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible();
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Первый ответ");
  const twins = page.getByRole("region", { name: `Ответ двойника «${NAME}»` });
  const owners = page.getByRole("region", { name: "Ваш настоящий ответ" });
  await expect(twins.locator("p").first()).not.toBeEmpty();
  const incoming = await textOf(stepCard(page).locator("blockquote"));
  const own = await textOf(owners.locator("p").first());
  const lines = JSON.stringify(JSON.parse(String(exported.file.buffer)));
  for (const text of [incoming, own]) {
    for (const line of text.split("\n")) expect(lines).toContain(JSON.stringify(line).slice(1, -1));
  }
  await expect(page).toHaveURL(/pair=.*reply=|reply=.*pair=/);
  const first = await textOf(twins.locator("p").first());
  await page.reload();
  await expect(twins.locator("p").first()).toHaveText(first);
  await buttonOf(page, "Другое сообщение").click();
  await expect(stepCard(page).locator("blockquote")).not.toHaveText(incoming);
  const answer = await textOf(twins.locator("p").first());
  await buttonOf(page, "Продолжить").click();

  // What it knows least of is offered, and can be left as it is.
  await atStep(page, "Первый ответ");
  await expect(page.getByLabel("Двойник ответит")).not.toHaveValue("");
  await expect(stepCard(page).locator("blockquote")).not.toHaveText(incoming);
  await buttonOf(page, "Пропустить пока").click();

  await atStep(page, "Обратная связь");
  await expect(english(page)).toHaveText("Waiting for your feedback...");
  await expect(twins).toContainText(answer);
  await buttonOf(page, "Отправить отзыв").click();
  await expect(page.getByText("Поставьте оценку от 1 до 5")).toBeVisible();
  await page.getByRole("radio", { name: /^4/ }).check({ force: true });
  await page.getByLabel("Комментарий").fill("Похоже, но длинно");
  await page.getByLabel("Как бы вы ответили").fill("ага, буду");
  await buttonOf(page, "Отправить отзыв").click();
  await expect(page.getByText("Спасибо! Отзыв сохранён")).toBeVisible();
  const { talk, reply } = Object.fromEntries(new URL(page.url()).searchParams);
  const kept = await (await page.request.get(`/api/conversations/${talk}/messages`, { headers })).json();
  expect(kept.find(({ id }: { id: string }) => id === reply)).toMatchObject({
    content: answer,
    feedback: { rating: 4, comment: "Похоже, но длинно", correction: "ага, буду" },
  });
  await page.getByRole("link", { name: "Готово" }).click();
  await expect(page).toHaveURL(/\/twin-settings\//);
  await expect(page.getByText(NAME).first()).toBeVisible();
});
