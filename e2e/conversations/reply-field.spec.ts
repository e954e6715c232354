// The reply field of an owner who leads a conversation: saved replies by «/», his own past replies, and what an answer stands on, in place.
import type { Page } from "@playwright/test";
import type { PastReply } from "#contract/conversations/approvals.ts";
import { buildApproval } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";
import { DESKTOP } from "../support/viewports.ts";
import { input, thread } from "./parts.ts";
import { openTalk, talk } from "./reply-field-parts.ts";

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
  await page.setViewportSize(DESKTOP);
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
  await page.setViewportSize(DESKTOP);
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
