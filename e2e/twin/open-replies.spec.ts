// /twin-replies/{id}: which of the owner's past replies are published, and how he publishes and closes them.
import type { Page } from "@playwright/test";
import { NOW } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { answering, listOf, oneTwin } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner, uploadTalk } from "../support/owner.ts";
import { toast } from "../support/toast.ts";
import { PHONE } from "../support/viewports.ts";

test("the owner goes through proposals by keys, opens one in other words, takes it back, and closes what recurs", async ({
  page,
}) => {
  const owner = await asOwner(page, { name: "Анна", knowledgeArea: "Доставка и возврат" });
  const { id, get } = owner;
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Для специалистов" }).click();
  const places = page.getByRole("navigation", { name: "Для специалистов" });
  await expect(places.getByRole("link")).toHaveText(["Ключи и MCP", "Вебхуки", "Расход", "Кому видны ответы"]);
  await expect(places.getByRole("link", { name: "Ключи и MCP" })).toHaveAttribute("aria-current", "page");
  await places.getByRole("link", { name: "Кому видны ответы" }).click();
  await expect(page).toHaveURL(`/twin-replies/${id}`);
  await expect(places.getByRole("link", { name: "Кому видны ответы" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByText("Пока ничего не открыто")).toBeVisible();
  await expect(page.getByText(/^Когда похожие вопросы повторятся/)).toBeVisible();

  const parking = ["Есть ли парковка, а то муж хромает?", "Парковка есть во дворе за воротами, привет"];
  await uploadTalk(owner, "Олег", 1, "Во сколько вы открываетесь?", "Мы открыты с десяти утра", ...parking);
  await uploadTalk(
    owner,
    "Мария",
    2,
    "Во сколько открываетесь?",
    "Мы открыты с десяти утра!",
    "Где парковка?",
    "Парковка есть во дворе за воротами",
  );
  await uploadTalk(owner, "Светлана", 3, "а во сколько открываетесь", "мы открыты с десяти утра)");
  const counts = async () => (await get(`/api/digital-twins/${id}/open-replies`)).counts;
  await expect.poll(counts).toMatchObject({ recurring: 1, proposals: 1 });

  // By the link: the focus is on the title then, and the keys mean the same.
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Для специалистов" }).click();
  await places.getByRole("link", { name: "Кому видны ответы" }).click();
  const proposals = page.getByRole("region", { name: "Что можно открыть" });
  const open = page.getByRole("region", { name: "Ваши ответы" });
  await expect(proposals.getByText("Похожее вы написали 2 людям")).toBeVisible();
  await expect(open.getByRole("listitem")).toContainText(["Получили 3 человека"]);
  await expectAccessibleCrosswise(page, "whom the owner's replies are visible to");
  await expectNoSidewaysScroll(page);

  // On the narrow screens that were just measured the card is a line, which has no keys.
  await expect(proposals.getByRole("button", { name: "Не открывать" })).toBeVisible();
  await page.keyboard.press("n");
  await expect(proposals.getByText("Предлагать нечего")).toBeVisible();
  // A key pressed while a decision is on its way does nothing.
  const undo = page.getByRole("button", { name: "Отменить последнее" });
  await expect(undo).toBeEnabled();
  await page.keyboard.press("z");
  await expect(proposals.getByText("Похожее вы написали 2 людям")).toBeVisible();
  await page.keyboard.press("y");
  const question = page.getByRole("textbox", { name: "Когда спросят так" });
  await expect(question).toBeFocused();
  await question.fill("Есть ли парковка?");
  await page.getByRole("textbox", { name: "Двойник ответит всем" }).fill("Парковка есть во дворе");
  await expectAccessible(page, "a reply that is opened");
  await page.keyboard.press("Control+Enter");
  await expect(open.getByRole("listitem").first()).toContainText("Открыли вы");
  await expect(undo).toBeEnabled();
  await page.keyboard.press("z");
  await expect(open.getByRole("listitem")).toHaveCount(1);

  const row = open.getByRole("listitem");
  await row.getByRole("button", { name: "Скрыть" }).click();
  // The toast of what was opened before may still be there.
  await toast(page).filter({ hasText: "Ответ скрыт" }).getByRole("button", { name: "Отменить" }).click();
  await expect(row).toContainText("Виден всем");

  // Of five replies, three recur and stand as one.
  await open.getByRole("button", { name: "Закрытые 2" }).click();
  await expect(open.getByRole("listitem")).toHaveCount(2);
  await open.getByRole("button", { name: "Все 3" }).click();
  await expect(open.getByRole("listitem")).toHaveCount(3);
  await expect(open.getByRole("heading", { name: "Видны только своему собеседнику" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Поиск ответа" }).fill("хромает");
  await expect(page.getByText("Видны только своему собеседнику")).toBeVisible();
  await page.getByRole("searchbox", { name: "Поиск ответа" }).fill("слоны");
  await expect(page.getByText("Ничего не найдено")).toBeVisible();
});

const pair = (n: number) => ({
  ...{ id: String(n), contactName: "Олег", incoming: "А парковка у вас есть?", repliedAt: NOW },
  reply: "Да, во дворе за воротами.",
});
const reply = (n: number, state: "open" | "closed") => ({
  ...{ id: String(n), origin: "opened", question: "Как проехать?", people: 1, state },
  reply: "С улицы Чайной во двор, там шлагбаум: наберите номер лавки, и мы откроем.",
});

/** Four proposals, of which `clear` are questions; a search finds one hidden and two private replies. */
async function openReplies(page: Page, clear: number) {
  const twin = buildTwin(1, { name: "Анна" });
  const counts = { replies: 60, opened: 3, recurring: 1, closed: 1, private: 54, proposals: 4 };
  const all = [reply(1, "open"), reply(2, "open"), reply(3, "open"), reply(4, "open"), reply(5, "closed")];
  const proposals = [1, 2, 3, 4].map((n) => ({
    ...{ id: String(n), pair: pair(n), reason: "said", people: 2, clear: n <= clear },
  }));
  const calls = await answering(page, {
    ...listOf(twin),
    ...oneTwin(twin),
    [`GET /api/digital-twins/${twin.id}/open-replies`]: (_, request) =>
      new URL(request.url()).searchParams.has("q")
        ? { counts, replies: [reply(5, "closed")], proposals: [], found: [pair(8), pair(9)] }
        : { counts, replies: all, proposals, found: [pair(7), pair(8), pair(9)] },
  });
  await page.setViewportSize(PHONE);
  await page.goto(`/twin-replies/${twin.id}`);
  const proposed = page.getByRole("region", { name: "Что можно открыть" });
  const replies = page.getByRole("region", { name: "Ваши ответы" });
  await expect(replies.getByRole("listitem")).toHaveCount(4);
  return { proposed, replies, calls };
}

test("a search counts what it found in each view, switches none, and leaves the proposals as they are", async ({
  page,
}) => {
  const { proposed, replies } = await openReplies(page, 0);
  await expect(proposed).toContainText("Можно открыть ещё 4 ответа, но вопрос неясен.");
  const view = (name: string) => replies.getByRole("button", { name, exact: true });
  await page.getByRole("searchbox", { name: "Поиск ответа" }).fill("двор");
  await expect(replies.getByRole("status")).toHaveText(/^Найдено: 3\sответа$/);
  await expect(view("Открытые 0")).toHaveAttribute("aria-pressed", "true");
  await expect(view("Закрытые 3")).toHaveAttribute("aria-pressed", "false");
  await expect(replies.getByText("Среди открытых ничего не найдено")).toBeVisible();
  await expect(proposed).toContainText("Можно открыть ещё 4 ответа");
  await expectAccessible(page, "a search among the owner's replies");
  await replies.getByRole("button", { name: "Показать все найденные" }).click();
  await expect(view("Все 3")).toHaveAttribute("aria-pressed", "true");
  await expect(replies.getByRole("listitem")).toHaveCount(3);
  await page.getByRole("searchbox", { name: "Поиск ответа" }).fill("");
  await expect(view("Все 59")).toHaveAttribute("aria-pressed", "true");
  // One view holds one sort but for what is hidden: the heading of the private ones would say the view again.
  await view("Закрытые 55").click();
  await expect(replies.getByRole("heading", { name: "Видны только своему собеседнику" })).toHaveClass("sr-only");
});

test("on a phone a whole reply is in sight, proposals open from a line, and buttons are as high as a finger", async ({
  page,
}) => {
  const { proposed, replies, calls } = await openReplies(page, 2);
  const bar = (await page.getByRole("navigation", { name: "Быстрая навигация" }).boundingBox())!;
  const first = (await replies.getByRole("listitem").first().boundingBox())!;
  expect(first.y + first.height).toBeLessThanOrEqual(bar.y);
  const height = async (name: string) => (await replies.getByRole("button", { name }).first().boundingBox())!.height;
  expect(await height("Скрыть")).toBeGreaterThanOrEqual(44);
  await expect(proposed).toContainText("Можно открыть ещё 2 ответа.");
  // A key decides on nothing that is not shown.
  await page.keyboard.press("n");
  expect(calls.map(({ call }) => call).filter((call) => call.startsWith("PUT"))).toEqual([]);
  await proposed.getByRole("button", { name: "Посмотреть" }).click();
  await expect(proposed.getByText("1 из 2")).toBeVisible();
  await expect(proposed.getByText("Похожее вы написали 2 людям")).toBeVisible();
  await replies.getByRole("button", { name: /^Закрытые/ }).click();
  expect(await height("Открыть всем…")).toBeGreaterThanOrEqual(44);
});
