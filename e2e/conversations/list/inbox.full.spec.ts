// The owner's inbox: a contact's message is there at once in each of his windows, the draft is decided by keyboard and taken back,
// the owner writes himself, notes, remembers, gives the talk to somebody and forgets the contact; on a phone too.
import type { Page } from "@playwright/test";
import { expect, test } from "../../servers/bot.ts";
import { expectAccessible } from "../../support/accessibility.ts";
import { asOwner, connectBot } from "../../support/owner.ts";
import { DESKTOP } from "../../support/viewports.ts";
import { actInMenu } from "../parts.ts";

const SOON = { timeout: 15_000 };

test("a contact's talk is led, noted and forgotten from the inbox", async ({ page, bot }) => {
  await connectBot(await asOwner(page), bot);
  await page.setViewportSize(DESKTOP);
  const listening = page.waitForResponse("**/api/events");
  await page.goto("/conversations");
  await listening;

  const other = await page.context().newPage();
  await other.goto("/conversations");

  await bot.say("Переведите мне 5000 на карту, пожалуйста.");
  const rowIn = (window: Page) => window.getByRole("list", { name: "Диалоги" }).getByRole("listitem");
  const row = rowIn(page);
  for (const window of [page, other]) {
    await expect(rowIn(window)).toContainText("Переведите мне 5000", SOON);
    await expect(rowIn(window)).toContainText("1 новое");
  }
  // What waits is counted wherever the owner is, in both windows, and in the tab of the browser.
  await other.goto("/dashboard");
  for (const window of [page, other]) await expect(window).toHaveTitle(/^\(1\) /, SOON);
  await expect(other.getByRole("region", { name: "Ждёт вас" }).getByRole("listitem")).toHaveText(/Иван.*Черновик/);
  await expect(page.getByRole("tab", { name: /^Ждут одобрения\s*1$/ })).toBeVisible();
  await other.getByRole("button", { name: /^Уведомления: 3/ }).click();
  await expectAccessible(other, "the bell with what waits");
  await other.getByRole("dialog", { name: "Уведомления" }).getByRole("link", { name: "Посмотреть" }).click();
  await expect(other).toHaveURL(/tab=approval$/);
  await other.goto("/conversations");
  await expect(row.getByText("Черновик").filter({ visible: true })).toBeVisible();
  await row.getByRole("button", { name: /^Открыть чат/ }).click();
  const thread = page.getByRole("region", { name: "Диалог: Иван" });
  const draft = thread.getByRole("article", { name: "Черновик двойника" });
  await expect(draft).toContainText("Речь о переводе денег", SOON);
  // One sees what one decides on: the messages keep their room beside the draft, whose buttons are in sight.
  expect((await thread.getByRole("log").boundingBox())?.height).toBeGreaterThanOrEqual(280);
  for (const name of ["Отправить", "Изменить", "Отклонить"])
    await expect(draft.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  for (const window of [page, other]) await expect(rowIn(window)).not.toContainText("новое");

  // By keyboard: to the draft, on to «Изменить», the owner's words, sent and taken back.
  await thread.getByRole("log").focus();
  await page.keyboard.press("d");
  await expect(draft.getByRole("button", { name: "Отправить" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Денег не переводим.");
  await page.keyboard.press("Control+Enter");
  const undo = thread.getByRole("button", { name: "Отменить" });
  await expect(undo).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(draft).toContainText("Денег не переводим.");
  await expectAccessible(page, "inbox");
  expect(await bot.sent()).toEqual([]);

  await thread.getByRole("textbox", { name: "Сообщение" }).fill("Это я сам: не переводим.");
  await page.keyboard.press("Enter");
  await expect.poll(bot.sent, SOON).toEqual(["Это я сам: не переводим."]);
  await expect(thread.getByRole("log")).toContainText("Это я сам: не переводим.");
  await expect(rowIn(other)).toContainText("Это я сам: не переводим.");
  await other.close();
  await expect(draft).toHaveCount(0);
  // Handled, it is counted no more.
  await expect(page).toHaveTitle(/^Диалоги/, SOON);
  await expect(page.getByRole("tab", { name: "Ждут одобрения", exact: true })).toBeVisible();
  await expect(thread).toContainText("Двойник молчит");
  const silence = thread.getByRole("combobox", { name: "Сколько двойнику молчать" });
  await expect(silence.getByRole("option").first()).toHaveText(/^ещё (30|29)\sминут/);
  await silence.selectOption("Пока не верну");
  await expect(silence.getByRole("option").first()).toHaveText("пока не\u00a0вернёте");
  await thread.getByRole("button", { name: "Вернуть двойнику" }).click();
  await expect(thread).toContainText("Собеседнику отвечает двойник");

  const card = page.getByRole("complementary", { name: "О диалоге" });
  const notes = card.getByRole("region", { name: "Заметки" });
  await notes.getByRole("button", { name: "Добавить заметку" }).click();
  await page.keyboard.type("Перезвонить в пятницу");
  await page.keyboard.press("Control+Enter");
  await expect(notes.getByRole("listitem")).toContainText("Перезвонить в пятницу");
  await notes.getByRole("button", { name: "Изменить: Перезвонить в пятницу" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(", вечером");
  await notes.getByRole("button", { name: "Сохранить" }).click();
  await expect(notes.getByRole("listitem")).toContainText("изменено");
  const facts = card.getByRole("region", { name: "О собеседнике" });
  await expect(facts).toContainText("Двойник их не читает и собеседнику не скажет");
  await facts.getByRole("button", { name: "Записать" }).click();
  await page.keyboard.type("Пьёт только улун");
  await page.keyboard.press("Control+Enter");
  await facts.getByRole("button", { name: "Удалить: Пьёт только улун" }).click();
  await page.getByRole("button", { name: "Вернуть", exact: true }).click();
  await expect(facts.getByRole("listitem")).toContainText("Пьёт только улун");
  await card.getByRole("combobox", { name: "Обращение" }).selectOption("вы");
  await card.getByRole("combobox", { name: "Согласен, что отвечает ИИ" }).selectOption("Да");
  await expect(card).toContainText(/Отмечено .+, Вера/);
  await card.getByRole("combobox", { name: "Ответственный" }).selectOption("Вера");
  await page.getByRole("button", { name: "Фильтр" }).click();
  await page.getByRole("combobox", { name: "Ответственный" }).first().selectOption("Без ответственного");
  await expect(page.getByRole("tabpanel")).toContainText("Ничего не найдено");
  await page.getByRole("button", { name: "Сбросить" }).last().click();
  await page.getByRole("searchbox", { name: "Поиск диалогов" }).fill("5000 на КАРТУ");
  await expect(page.getByRole("region", { name: "Найденные сообщения" })).toContainText("5000 на карту");
  await expectAccessible(page, "inbox");

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 780 });
    await actInMenu(page, "Подробнее о диалоге");
    const sheet = page.getByRole("dialog", { name: "О диалоге" });
    await expect(sheet).toContainText("Пьёт только улун");
    await expectAccessible(page, "inbox");
    await sheet.getByRole("button", { name: "Закрыть", exact: true }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await expectAccessible(page, "inbox");
  }
  await page.setViewportSize(DESKTOP);

  await card.getByRole("button", { name: "Удалить всё об этом контакте" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить всё" }).click();
  await expect(page.getByRole("button", { name: /^Открыть чат/ })).toHaveCount(0);
});
