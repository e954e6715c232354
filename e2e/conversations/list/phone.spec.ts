// The inbox under a thumb: conversations before all else, and what waits in each.
import { buildConversation, buildMessage } from "../../factories/conversation.ts";
import { buildTwin } from "../../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise, expectFitsNarrowPhone } from "../../support/accessibility.ts";
import { answering, json, listOf } from "../../support/answers.ts";
import { expect, test } from "../../support/fixtures.ts";
import { PHONE } from "../../support/viewports.ts";
import { actInMenu, log, openButton, rows, thread } from "../parts.ts";

test.use({ hasTouch: true });

test("on a phone the four cards and the four acts stand above conversations, each with a button of its own", async ({
  page,
}) => {
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([1, 2, 3].map((n) => buildConversation(n))),
    "GET /api/approvals": json([]),
  });
  await page.setViewportSize(PHONE);
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(3);
  // The first two conversations are still in the first screen.
  await expect(openButton(page, 1)).toBeInViewport({ ratio: 1 });
  const open = await rows(page)
    .first()
    .getByRole("button", { name: /^Открыть чат/ })
    .boundingBox();
  expect(open!.height).toBeGreaterThanOrEqual(44);
  // What the specification wants is in sight above them.
  for (const words of ["Всего диалогов", "Активные чаты", "Всего сообщений", "Время ответа"])
    await expect(page.getByText(words, { exact: true })).toBeInViewport({ ratio: 1 });
  for (const name of ["Поиск", "Фильтр", "Экспорт", "Новый диалог"]) {
    await expect(page.getByText(name, { exact: true })).toBeInViewport({ ratio: 1 });
    const box = await page.getByRole("button", { name, exact: true }).boundingBox();
    expect(Math.min(box!.width, box!.height), name).toBeGreaterThanOrEqual(44);
  }
  await expectFitsNarrowPhone(page);
  await expectAccessibleCrosswise(page, "the inbox on a phone");
});

test("an open conversation has one bar, whose menu holds in words what the page's would have offered", async ({
  page,
}) => {
  const talk = buildConversation(1, { lead: "twin" });
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([talk]),
    [`GET /api/conversations/${talk.id}/messages`]: json([buildMessage(1)]),
    [`GET /api/conversations/${talk.id}/answers`]: json([]),
    "GET /api/approvals": json([]),
  });
  await page.setViewportSize(PHONE);
  await page.goto("/conversations");
  const more = page.getByRole("button", { name: "Ещё" });
  await more.click();
  await expect(page.getByRole("menuitem")).toHaveText(["Приостановить двойников"]);
  await expectAccessible(page, "the menu of the page");
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();

  await openButton(page, 0).click();
  await expect(thread(page).getByRole("heading", { level: 2 })).toBeFocused();
  // The page is still named, and nothing else of its bar is there.
  await expect(page.getByRole("heading", { level: 1, name: "Диалоги" })).toHaveCount(1);
  await expect(page.getByRole("button", { name: /Открыть меню|Уведомления|Меню пользователя/ })).toHaveCount(0);
  expect((await log(page).boundingBox())!.y).toBeLessThanOrEqual(64);
  await expect(page.getByRole("button", { name: "Отправить" })).toBeInViewport({ ratio: 1 });
  const acts = page.getByRole("button", { name: "Действия с диалогом" });
  await acts.click();
  await expect(page.getByRole("menuitem")).toHaveText([
    "Вести самому",
    "Подробнее о диалоге",
    "Отложить диалог",
    "Метки диалога",
    "Поиск по всему",
    "Меню разделов",
    "Приостановить двойников",
  ]);
  await expectAccessible(page, "the menu of a conversation");
  // Esc closes the menu, not the conversation.
  await page.keyboard.press("Escape");
  await expect(acts).toBeFocused();
  await expect(thread(page)).toBeVisible();
  await actInMenu(page, "Приостановить двойников");
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Отмена" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(acts).toBeFocused();
  await actInMenu(page, "Поиск по всему");
  await expect(page.getByRole("combobox", { name: "Поиск по разделам и действиям" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(acts).toBeFocused();
  await expectFitsNarrowPhone(page);
});
