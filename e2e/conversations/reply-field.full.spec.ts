// The reply field of an owner who leads a conversation: saved replies by «/», his own past replies, and what an answer stands on, in place.
// What reply-field.spec.ts leaves to test:full.
import { buildApproval, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";
import { input, log, thread } from "./parts.ts";
import { openTalk, talk } from "./reply-field-parts.ts";

const source = { documentId: uuid(5), name: "Доставка.md", text: "Курьер приезжает с 9 до 21." };

test("saved replies are made and removed in a dialog, which sends nothing", async ({ page }) => {
  const { written } = await openTalk(page, {});
  await input(page).fill("/");
  await thread(page).getByRole("button", { name: "Создать заготовку" }).click();
  const dialog = page.getByRole("dialog", { name: "Заготовки" });
  await expectAccessible(page, "no saved replies");
  await dialog.getByRole("button", { name: "Новая заготовка" }).click();
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog).toContainText("Введите название");
  await dialog.getByLabel("Название").fill("Адрес");
  await dialog.getByLabel("Текст").fill("{имя}, мы на Покровке, 7");
  await expectAccessibleCrosswise(page, "a new saved reply");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog.getByRole("listitem")).toContainText("Адрес");
  await dialog.getByRole("button", { name: "Удалить: Адрес" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
  await expect(dialog).toContainText("Заготовок пока нет");
  expect(written()).toEqual([]);
});

test("what an answer or a draft stands on opens where it stands, and closes there", async ({ page }) => {
  const knows = {
    confidence: 0.8,
    basis: "knowledge",
    reason: "Ответ найден в документе.",
  } as const;
  await openTalk(page, {
    messages: [
      buildMessage(1, { content: "Когда привезёте?" }),
      buildMessage(2, { ...knows, sources: [source], role: "assistant", content: "С 9 до 21" }),
    ],
    answers: [buildApproval(1, { ...knows, sources: [source], conversationId: talk.id, text: "Привезём завтра" })],
  });
  for (const place of [log(page), thread(page).getByRole("article", { name: "Черновик двойника" })]) {
    const chip = place.getByRole("button", { name: "Доставка.md", exact: true });
    await expect(chip).toHaveAttribute("aria-expanded", "false");
    await chip.click();
    await expect(place.getByRole("group", { name: "Доставка.md" })).toContainText("Курьер приезжает с 9 до 21.");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await expectAccessibleCrosswise(page, "sources in place");
  await log(page).getByRole("button", { name: "Свернуть: Доставка.md" }).click();
  await expect(log(page).getByRole("group", { name: "Доставка.md" })).toHaveCount(0);
});

test("at a desk «Заготовки» and «Отправить» stand beside the field before and after something is written, and leading the talk oneself stands in its heading", async ({
  page,
}) => {
  const answer = (n: number) =>
    buildMessage(n, {
      role: "assistant",
      content: `Ответ ${n}`,
      confidence: 0.9,
      sources: [source],
    });
  const given = { ...talk, lead: "twin", pausedUntil: null };
  await answering(page, {
    ...listOf(buildTwin(1, { name: "Анна" })),
    "GET /api/conversations": json([given]),
    [`GET /api/conversations/${talk.id}/messages`]: json([buildMessage(1), answer(2), buildMessage(3), answer(4)]),
    [`GET /api/conversations/${talk.id}/answers`]: json([]),
  });
  await page.setViewportSize(DESKTOP);
  await page.goto(`/conversations?dialog=${talk.id}`);
  await expect(thread(page).getByRole("button", { name: "Вести самому" })).toHaveText("Вести самому");
  const saved = thread(page).getByRole("button", { name: "Заготовки" });
  const send = thread(page).getByRole("button", { name: "Отправить" });
  await expect(send).toBeDisabled();
  const place = await send.boundingBox();
  expect((await input(page).boundingBox())!.width).toBeGreaterThan(260);
  await input(page).fill("Привезём завтра.");
  await expect(send).toBeEnabled();
  await expect(saved).toBeVisible();
  expect(await send.boundingBox()).toEqual(place);

  // The last answer shows its acts; an earlier one does under the pointer and with the focus, and nothing is covered by them.
  const item = (n: number) =>
    log(page)
      .getByRole("listitem")
      .filter({ hasText: `Ответ ${n}` });
  const copy = (n: number) => item(n).getByRole("button", { name: "Копировать" });
  const seen = (n: number, opacity: string) => expect(copy(n).locator("..")).toHaveCSS("opacity", opacity);
  await seen(4, "1");
  await seen(2, "0");
  await log(page).getByText("Ответ 2").hover();
  await seen(2, "1");
  const after = log(page).getByRole("listitem").filter({ hasText: "Сообщение 3" });
  const [acts, below] = [await copy(2).boundingBox(), await after.boundingBox()];
  expect(acts!.y + acts!.height).toBeLessThanOrEqual(below!.y);
  await page.mouse.move(0, 0);
  await seen(2, "0");
  await copy(2).focus();
  await seen(2, "1");
});
