// Conversations are put off, labelled, closed and given back, one by one and several at once, by keys and by pointer.
import type { Page } from "@playwright/test";
import type { ActInput, ActResult } from "#contract/conversations/acts.ts";
import type { Conversation, Label } from "#contract/conversations/conversations.ts";
import { buildContact, buildConversation } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import type { ApiRequest } from "../support/intercept.ts";
import { expectToast, toast } from "../support/toast.ts";
import { list, rows, thread } from "./parts.ts";

const NAMES = ["Мария", "Иван", "Пётр", "Ольга", "Светлана"];
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

/** An inbox of five that remembers what is done to it; Пётр's conversation may not be changed. */
async function inbox(page: Page) {
  const state = NAMES.map((name, n) =>
    buildConversation(n, {
      participants: buildContact({ name }),
      lead: n === 1 ? "me" : "twin",
      lastMessage: "Здравствуйте",
    }),
  );
  const labels: Label[] = [];
  const acts: ActInput[] = [];
  const change = (id: string, own: Partial<Conversation>) => {
    const at = state.findIndex((one) => one.id === id);
    state[at] = { ...state[at]!, ...own };
  };
  const shown = (request: ApiRequest) => {
    const query = new URL(request.url()).searchParams;
    const status = query.get("status");
    return state.filter(
      (one) =>
        (one.snoozedUntil !== null) === query.has("snoozed") &&
        (!status || one.participants.status === status) &&
        (!query.get("label") || one.labels.some(({ id }) => id === query.get("label"))),
    );
  };
  function act({ ids, act }: ActInput): ActResult[] {
    acts.push({ ids, act });
    return ids.map((id) => {
      const one = state.find((talk) => talk.id === id)!;
      if (one.participants.name === "Пётр") {
        return { id, problem: { code: "forbidden", message: "Это может только владелец двойника" } };
      }
      if (act.kind === "snooze") change(id, { snoozedUntil: TOMORROW });
      if (act.kind === "return") change(id, { snoozedUntil: null });
      if (act.kind === "close" || act.kind === "reopen") {
        change(id, { participants: { ...one.participants, status: act.kind === "close" ? "closed" : "active" } });
      }
      if (act.kind === "label")
        change(id, { labels: [...one.labels, labels.find((label) => label.id === act.labelId)!] });
      if (act.kind === "unlabel") change(id, { labels: one.labels.filter((label) => label.id !== act.labelId) });
      return { id, problem: null };
    });
  }
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": (_, request) => shown(request),
    "POST /api/conversations/acts": (_, request) => act(request.postDataJSON() as unknown as ActInput),
    "GET /api/conversations/snooze-times": json({
      timeZone: "Asia/Vladivostok",
      times: [
        { name: "tomorrow", at: TOMORROW },
        { name: "next-week", at: new Date(Date.now() + 5 * 86_400_000).toISOString() },
      ],
    }),
    "GET /api/labels": () =>
      labels.map((label) => ({
        ...label,
        conversations: state.filter((one) => one.labels.some(({ id }) => id === label.id)).length,
      })),
    "POST /api/labels": (_, request) => {
      const made = { id: uuid(800 + labels.length), name: String(request.postDataJSON()!.name) };
      labels.push(made);
      return made;
    },
    [`DELETE /api/labels/${uuid(800)}`]: (route) => {
      for (const { id } of state) change(id, { labels: [] });
      labels.length = 0;
      return route.fulfill({ status: 204 });
    },
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(5);
  return { acts };
}

const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });
const bar = (page: Page) => page.getByRole("region", { name: "Выбранные диалоги" });
const boxOf = (page: Page, name: string) => page.getByRole("checkbox", { name: `Выбрать: ${name}` });

test("H puts the focused conversation off: it leaves the list, is taken back at once, and stands under its filter", async ({
  page,
}) => {
  const { acts } = await inbox(page);
  await page.keyboard.press("j");
  await page.keyboard.press("h");
  const dialog = page.getByRole("dialog", { name: "Отложить диалог" });
  await expect(dialog.getByRole("button", { name: /^Завтра утром/ })).toBeFocused();
  await expect(dialog).toContainText("По часам организации: Asia/Vladivostok");
  await expectAccessibleCrosswise(page, "putting off");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Enter");
  await expectToast(page, /^Диалог отложен до /);
  await expect(rowOf(page, "Мария")).toHaveCount(0);
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expect(rowOf(page, "Мария")).toHaveCount(1);
  expect(acts.map(({ act }) => act.kind)).toEqual(["snooze", "return"]);

  // A time of one's own goes as the organisation's clock has it.
  await rowOf(page, "Мария").getByRole("button").focus();
  await page.keyboard.press("h");
  await dialog.getByLabel("Другое время").fill("2099-05-04T10:30");
  await dialog.getByRole("button", { name: "Отложить" }).click();
  await expectToast(page, /до 4 мая в 10:30/);
  expect(acts.at(-1)!.act).toEqual({ kind: "snooze", until: "2099-05-04T10:30" });

  await page.getByRole("button", { name: "Фильтр" }).click();
  await page.getByRole("checkbox", { name: "Отложенные" }).check();
  await expect(page).toHaveURL(/snoozed=/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rowOf(page, "Мария")).toContainText("до ");
  await rowOf(page, "Мария").getByRole("button").click();
  await thread(page).getByRole("button", { name: "Вернуть в список" }).click();
  await expect(list(page).getByRole("listitem")).toHaveCount(0);
  await expect(page.getByRole("tabpanel")).toContainText("Ничего не отложено");
});

test("L labels a conversation with a word made in place; the filter stands in the address, and removal says of how many", async ({
  page,
}) => {
  const { acts } = await inbox(page);
  await page.keyboard.press("j");
  await page.keyboard.press("l");
  const dialog = page.getByRole("dialog", { name: "Метки диалога" });
  const field = dialog.getByRole("combobox", { name: "Найти или создать метку" });
  await expect(field).toBeFocused();
  await field.fill("Опт");
  await expect(dialog.getByRole("option", { name: "Создать метку «Опт»" })).toBeVisible();
  await expectAccessible(page, "labels");
  await page.keyboard.press("Enter");
  await expectToast(page, "Метка «Опт» поставлена");
  await expect(rowOf(page, "Мария").getByText("Опт")).toBeVisible();
  expect(await rowOf(page, "Мария").evaluate((row) => row.getBoundingClientRect().height)).toBe(44);
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expect(rowOf(page, "Мария").getByText("Опт")).toHaveCount(0);

  // The toast has taken the focus with it.
  await page.keyboard.press("j");
  await page.keyboard.press("l");
  await expect(dialog.getByRole("option", { name: "Опт" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "Мария").getByText("Опт")).toBeVisible();
  expect(acts.map(({ act }) => act.kind)).toEqual(["label", "unlabel", "label"]);
  await page.getByRole("button", { name: "Фильтр" }).click();
  await page.getByRole("combobox", { name: "Метка" }).selectOption("Опт");
  await expect(page).toHaveURL(new RegExp(`label=${uuid(800)}`));
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole("combobox", { name: "Метка" })).toHaveValue(uuid(800));

  await page.keyboard.press("j");
  await page.keyboard.press("l");
  await dialog.getByRole("button", { name: "Удалить метку" }).click();
  await page.getByRole("button", { name: "Удалить метку «Опт»" }).click();
  const confirmation = page.getByRole("alertdialog", { name: "Удалить метку «Опт»?" });
  await expect(confirmation).toContainText(/Она снимется с 1\sдиалога/);
  await expectAccessible(page, "removal of a label");
  await confirmation.getByRole("button", { name: "Удалить" }).click();
  await expectToast(page, "Метка удалена");
});

test("several are chosen with X, a click and a range with Shift, and what failed is told for each of them", async ({
  page,
}) => {
  const { acts } = await inbox(page);
  // Under the pointer the box stands in the avatar's place, and nothing moves.
  const height = () => rowOf(page, "Мария").evaluate((row) => row.getBoundingClientRect().height);
  expect(await height()).toBe(44);
  await rowOf(page, "Мария").hover();
  await expect(boxOf(page, "Мария")).toBeVisible();
  expect(await height()).toBe(44);
  await boxOf(page, "Мария").click();
  await boxOf(page, "Ольга").click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("Выбрано 4");
  await page.keyboard.press("Escape");
  await expect(bar(page)).toHaveCount(0);

  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  for (const _ of NAMES.slice(1, 3)) await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(bar(page)).toContainText("Выбрано 3");
  await expectAccessibleCrosswise(page, "chosen conversations");
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // An owner reads what goes out: sending is not among it.
  await expect(bar(page).getByRole("button")).toHaveText(["Закрыть", "Отложить", "Метка", "Вернуть двойнику", ""]);
  await bar(page).getByRole("button", { name: "Закрыть" }).click();
  await expectToast(page, /2\sдиалога закрыты/);
  await expect(bar(page).getByRole("alert")).toContainText("Пётр: Это может только владелец двойника");
  await expect(bar(page)).toContainText("Выбрано 1");
  await expectAccessible(page, "what could not be done");
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expect.poll(() => acts.map(({ ids, act }) => `${act.kind} ${ids.length}`)).toEqual(["close 3", "reopen 2"]);
  await bar(page).getByRole("button", { name: "Снять выбор" }).click();

  // Only those that the owner leads are given back.
  await boxOf(page, "Мария").click();
  await boxOf(page, "Иван").click();
  await bar(page).getByRole("button", { name: "Вернуть двойнику" }).click();
  await expectToast(page, "Диалог снова ведёт двойник");
  expect(acts.at(-1)).toMatchObject({ act: { kind: "hand-back" }, ids: [uuid(401)] });
});

test("the keys are listed, and none of them acts while somebody types", async ({ page }) => {
  const { acts } = await inbox(page);
  await page.getByRole("searchbox", { name: "Поиск диалогов" }).focus();
  await page.keyboard.type("xhl?");
  await expect(page.getByRole("searchbox", { name: "Поиск диалогов" })).toHaveValue("xhl?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Поиск диалогов" }).fill("");
  await page.locator("h1").click();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Клавиши" });
  await expect(keys.getByRole("region", { name: "Список" })).toContainText("отложить");
  await expectAccessibleCrosswise(page, "the keys");
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);
  // Nothing has the focus: the letters find nobody.
  for (const key of ["x", "h", "l"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(acts).toEqual([]);
});
