// The reply field of an owner who leads a conversation: saved replies by «/», his own past replies, and what an answer stands on, in place.
import type { Page } from "@playwright/test";
import type { PastReply } from "#contract/conversations/approvals.ts";
import type { ChatMessage } from "#contract/conversations/conversations.ts";
import type { SavedReply } from "#contract/conversations/saved-replies.ts";
import { buildApproval, buildContact, buildConversation, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";
import { input, log, thread } from "./parts.ts";

const talk = buildConversation(1, {
  participants: buildContact({ name: "Мария Соколова" }),
  lead: "me",
  pausedUntil: new Date(Date.now() + 3600_000).toISOString(),
});
const source = { documentId: uuid(5), name: "Доставка.md", text: "Курьер приезжает с 9 до 21." };

interface Given {
  messages?: ChatMessage[];
  past?: PastReply[];
  saved?: SavedReply[];
  answers?: unknown[];
}

async function openTalk(page: Page, { messages = [buildMessage(1)], past = [], saved = [], answers = [] }: Given) {
  let kept = saved;
  const calls = await answering(page, {
    ...listOf(buildTwin(1, { name: "Анна" })),
    "GET /api/conversations": json([talk]),
    [`GET /api/conversations/${talk.id}/messages`]: json(messages),
    [`GET /api/conversations/${talk.id}/answers`]: json(answers),
    [`GET /api/conversations/${talk.id}/past-replies`]: json(past),
    [`POST /api/conversations/${talk.id}/messages`]: json(buildApproval(9, { author: "owner", state: "pending" }), 201),
    "GET /api/saved-replies": () => kept,
    "POST /api/saved-replies": (_, request) => {
      const made = { id: uuid(900 + kept.length), ...request.postDataJSON() } as SavedReply;
      kept = [...kept, made];
      return made;
    },
    [`DELETE /api/saved-replies/${uuid(900)}`]: (route) => {
      kept = kept.filter(({ id }) => id !== uuid(900));
      return route.fulfill({ status: 204 });
    },
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/conversations?dialog=${talk.id}`);
  await expect(input(page)).toBeVisible();
  const written = () => calls.filter(({ call }) => call === `POST /api/conversations/${talk.id}/messages`);
  return { written };
}

const options = (page: Page) => page.getByRole("listbox", { name: "Заготовки" }).getByRole("option");

test("«/» at the start of a line offers saved replies; the one that is taken stands in the field with the name and is not sent", async ({
  page,
}) => {
  const { written } = await openTalk(page, {
    saved: [
      { id: uuid(900), title: "Доставка", text: "{имя}, доставим завтра с 9 до 21." },
      { id: uuid(901), title: "Реквизиты", text: "ООО «Чай», ИНН 7700000000" },
    ],
  });
  await input(page).fill("Здравствуйте и/или");
  await expect(options(page)).toHaveCount(0);
  await input(page).fill("");
  await page.keyboard.type("/");
  await expect(options(page)).toHaveCount(2);
  await expect(options(page).first()).toContainText("Мария, доставим завтра");
  await expectAccessibleCrosswise(page, "saved replies");
  await page.setViewportSize({ width: 1440, height: 900 });
  await input(page).press("ArrowDown");
  await expect(input(page)).toHaveAttribute("aria-activedescendant", (await options(page).nth(1).getAttribute("id"))!);
  await page.keyboard.type("дост");
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(input(page)).toHaveValue("Мария, доставим завтра с 9 до 21.");
  await expect(input(page)).toBeFocused();
  await expect(options(page)).toHaveCount(0);
  expect(written()).toEqual([]);

  // On a later line too; Esc closes the list and not the conversation.
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("/рек");
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(options(page)).toHaveCount(0);
  await expect(thread(page)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect
    .poll(() => written().map(({ body }) => body))
    .toEqual([{ text: "Мария, доставим завтра с 9 до 21.\n/рек" }]);
});

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

test("without a draft the owner's past replies stand above the field, are taken with Alt and a digit, and go out only when sent", async ({
  page,
}) => {
  const past: PastReply[] = [
    {
      contactName: "Пётр",
      sameContact: false,
      question: "Сколько стоит доставка?",
      reply: "Пётр, 700 рублей",
      repliedAt: "2025-11-20T07:01:00.000Z",
      personal: [{ start: 0, end: 4 }],
    },
    {
      contactName: "Мария Соколова",
      sameContact: true,
      question: "А доставка?",
      reply: "Для вас 500 рублей",
      repliedAt: "2025-11-21T07:01:00.000Z",
      personal: [],
    },
  ];
  const { written } = await openTalk(page, { past });
  const region = thread(page).getByRole("region", { name: "Как вы отвечали раньше" });
  await expect(region.getByRole("listitem")).toHaveCount(2);
  await expectAccessibleCrosswise(page, "own past replies");
  await page.setViewportSize({ width: 1440, height: 900 });
  await input(page).fill("Минуту");
  // In the field a digit is a digit.
  await page.keyboard.type("1");
  await expect(input(page)).toHaveValue("Минуту1");
  await page.keyboard.press("Alt+1");
  await expect(input(page)).toHaveValue("Пётр, 700 рублей");
  await expect(thread(page)).toContainText("Здесь остались его данные: Пётр.");
  await toast(page).getByRole("button", { name: "Вернуть мой текст" }).click();
  await expect(input(page)).toHaveValue("Минуту1");
  await region.getByRole("button", { name: /Взять/ }).nth(1).click();
  await expect(input(page)).toHaveValue("Для вас 500 рублей");
  expect(written()).toEqual([]);
  await input(page).press("Enter");
  await expect.poll(() => written().length).toBe(1);
});

test("beside a draft they do not stand twice", async ({ page }) => {
  await openTalk(page, {
    answers: [buildApproval(1, { conversationId: talk.id })],
    past: [{ contactName: null, sameContact: false, question: "Да?", reply: "Да", repliedAt: null, personal: [] }],
  });
  await expect(thread(page).getByRole("article", { name: "Черновик двойника" })).toBeVisible();
  await expect(thread(page).getByRole("region", { name: "Как вы отвечали раньше" })).toHaveCount(0);
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
  await page.setViewportSize({ width: 1440, height: 900 });
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
