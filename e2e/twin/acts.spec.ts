// What a twin does in its owner's systems: decided on by the owner, listed in the journal, shown in the test chat.
import type { Act } from "#contract/actions/acts.ts";
import { buildConversation, buildReply } from "../factories/conversation.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { user } from "../factories/people.ts";
import { buildAct, buildBookingTool, buildCall, buildTool } from "../factories/tool.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { AT, button, screen } from "./tools-parts.ts";

test.use({ allowedConsoleErrors: [/status of (400|409|503)/] });

test("the owner decides on acts by keys, reads what came of them, and settles an unknown one", async ({ page }) => {
  const lost = buildAct(1, {
    contactName: "Олег",
    state: "unknown",
    reason: "Связь прервалась, пока система отвечала",
  });
  const asks = buildAct(2);
  let open: Act[] = [asks, lost];
  const leaves = (act: Act) => {
    open = open.filter(({ id }) => id !== act.id);
  };
  const calls = await withTwins(page, {
    "GET /api/acts": () => open,
    "GET /api/acts/count": () => ({ waiting: open.length }),
    "GET /api/approvals": json([]),
    "GET /api/conversations": json([buildConversation(1)]),
    [`GET /api/acts/${asks.id}/messages`]: json([
      { by: "contact", text: "Можно в пятницу в три?", at: NOW },
      { by: "contact", text: "да", at: NOW },
    ]),
    [`POST /api/acts/${lost.id}/settle`]: () => {
      leaves(lost);
      return { ...lost, state: "failed", reason: "Отмечено: не выполнено" };
    },
    [`POST /api/acts/${asks.id}/approve`]: () => {
      leaves(asks);
      return { ...asks, state: "done", result: [{ label: "Номер записи", value: "B-7" }] };
    },
  });
  const card = page.getByRole("article").filter({ visible: true });
  // From where it was pressed, the act itself is opened, and not the oldest one.
  await page.setViewportSize(PHONE);
  await page.goto(`/conversations?tab=approval&act=${asks.id}`);
  await expect(card.nth(1)).toBeFocused();
  await expect(card.nth(1).getByText("Двойник хочет выполнить")).toBeInViewport();
  await page.setViewportSize(DESKTOP);
  await expect(card).toContainText("Двойник хочет выполнить");
  await expect(card.getByRole("list", { name: "Что было раньше" })).toContainText("Мария: Можно в пятницу в три?");
  await page.goto("/conversations?tab=approval");
  await expect(page.getByRole("tab", { name: /Ждут одобрения/ })).toContainText("2");
  await expect(card).toContainText("Неизвестно, выполнено ли. Проверьте в вашей системе");
  await expectAccessibleCrosswise(page, "an act that waits");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  const decided = () => calls.filter(({ call }) => call.startsWith("POST /api/acts/"));
  // Without focus a key decides nothing.
  await page.keyboard.press("r");
  expect(decided()).toEqual([]);
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  const outcome = page.getByRole("status").filter({ hasText: "Запись на стрижку" });
  await expect(outcome).toContainText("Отмечено: не выполнено");
  expect(decided()).toEqual([{ call: `POST /api/acts/${lost.id}/settle`, body: { done: false } }]);

  await expect(card).toContainText("Двойник хочет выполнить");
  await expect(card).toContainText("POST api.example.ru/bookings");
  await expect(card).toContainText("Собеседник подтвердил: «Записать вас на пятницу, 15:00?»");
  await card.focus();
  await page.keyboard.press("a");
  await page.keyboard.press("a");
  await expect(outcome).toContainText("номер записи B-7");
  expect(decided()).toHaveLength(2);
  await expect(page.getByText("Ничто не ждёт одобрения")).toBeVisible();
  await page.goto(`/conversations?tab=approval&act=${asks.id}`);
  await expect(page.getByText(/То действие уже не\sждёт вас/)).toBeVisible();
});

test("a decision that fails says so, and the journal shows how the act stands, by pages and by what waits", async ({
  page,
}) => {
  const acts = [
    buildAct(1),
    buildAct(2, { state: "refused", title: "Статус заказа", reason: "Подтверждение не подошло", question: null }),
    buildAct(3, {
      state: "done",
      decidedBy: user.id,
      decidedAt: NOW,
      decider: "Анна",
      contactName: "",
      platform: "test",
    }),
    buildAct(4, { state: "done", dry: true, contactName: "", platform: "test" }),
    buildAct(5, { state: "done", title: "Статус заказа", changes: false, question: null }),
  ];
  const asked: string[] = [];
  await withTwins(
    page,
    screen([buildTool(1), buildBookingTool(2)], {
      "GET /api/acts": (route, request) => {
        const { searchParams } = new URL(request.url());
        asked.push(String(searchParams));
        return json(searchParams.has("show") ? acts.slice(0, 1) : acts)(route, request);
      },
      [`POST /api/acts/${uuid(741)}/approve`]: fails(409, "По этому действию уже решили", "act_decided"),
    }),
  );
  await page.setViewportSize(PHONE);
  await page.goto(`${AT}?tab=journal`);
  const rows = page.getByRole("list", { name: "Журнал действий" }).getByRole("listitem");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText("Подтверждение не подошло");
  await expect(rows.nth(2)).toContainText(/Выполнено.*Тестовый чат · решили вы в\s\d\d:\d\d/);
  // What was only shown was not done.
  await expect(rows.nth(3)).toContainText("Только показано");
  await expect(rows.nth(3)).not.toContainText("Выполнено");
  await expect(rows.nth(4)).toContainText("двойник сам");
  await expectAccessibleCrosswise(page, "the journal");
  await expectNoSidewaysScroll(page);
  await page.getByRole("combobox", { name: "Действие" }).selectOption("Запись на стрижку");
  await page.getByRole("combobox", { name: "Итог" }).selectOption("Ждут вас");
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(`${AT}?tab=journal&tool=${uuid(702)}&show=open`);
  await button(page, "Выполнить: Запись на стрижку").dblclick();
  await expect(page.getByText("По этому действию уже решили", { exact: true })).toBeVisible();
  expect(asked.at(-1)).toBe(`twinId=${uuid(1)}&show=open&toolId=${uuid(702)}`);
});

test("the test chat shows what it would call, and really calls it only when that is switched on", async ({ page }) => {
  const call = buildCall({ title: "Запись на стрижку", outcome: "dry", result: [], note: "Только показано" });
  const calls = await withTwins(page, {
    "GET /api/tools": json([buildBookingTool(2)]),
    "POST /api/ai-generate": json(buildReply({ response: "Записываю", calls: [call] })),
  });
  await page.goto(`/twins?chat=${uuid(1)}`);
  const live = page.getByRole("switch", { name: /Вызывать на\sсамом деле/ });
  await expect(live).not.toBeChecked();
  const ask = async (text: string) => {
    await page.getByLabel("Сообщение", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("log")).toContainText(text);
  };
  await ask("Запишите меня");
  await expect(page.getByText("показано, но не вызвано")).toBeVisible();
  await live.click();
  await expect(page.getByText("после вашего «да» действие уйдёт")).toBeVisible();
  await expectAccessibleCrosswise(page, "a call in the test chat");
  await ask("А на субботу?");
  await expect(page.getByText("показано, но не вызвано")).toHaveCount(2);
  const asked = calls.filter(({ call: name }) => name === "POST /api/ai-generate").map(({ body }) => body);
  expect(asked[0]).not.toHaveProperty("live");
  expect(asked[1]).toMatchObject({ live: true });
});

test("what was asked live in the test chat is answered there once its owner has decided", async ({ page }) => {
  const call = { actId: uuid(741), title: "Наличие", arguments: [], result: [], note: null };
  const reply = { response: "Уточню и отвечу здесь же.", basis: "smalltalk" as const, confidence: 0.97 };
  const ended = { ...call, outcome: "done", result: [{ label: "Ответ", value: "Есть, на овсяном" }] };
  let isDecided = false;
  const line = { timestamp: NOW, sources: [], durationMs: null, feedback: null };
  const told = { ...line, role: "assistant", confidence: 1, basis: "smalltalk", scripted: true };
  await withTwins(page, {
    "GET /api/tools": json([buildTool(1), buildBookingTool(2, { needsModel: "fields", example: null })]),
    "POST /api/ai-generate": json(
      buildReply({ ...reply, scripted: true, calls: [{ ...call, outcome: "waiting-owner" }] }),
    ),
    [`GET /api/conversations/${buildReply().conversationId}/messages`]: () => [
      { ...line, id: "1", role: "user", content: "Есть латте?", confidence: null },
      { ...told, id: "2", content: reply.response, calls: [isDecided ? ended : { ...call, outcome: "waiting-owner" }] },
      ...(isDecided ? [{ ...told, id: "3", content: "Есть, на овсяном" }] : []),
    ],
  });
  await page.goto(`/twins?chat=${uuid(1)}`);
  // An example of an action that nothing keeps from being called is offered.
  await expect(page.getByRole("list", { name: "Что можно спросить" }).getByRole("button")).toHaveText([
    "Где мой заказ 1042?",
  ]);
  await page.getByLabel("Сообщение", { exact: true }).fill("Есть латте?");
  await page.keyboard.press("Enter");
  const calls = page.getByRole("list", { name: "Действия" });
  await expect(calls).toContainText("Наличие → , итог: ждёт вашего решения");
  await expect(page.getByRole("log")).toContainText("Действие");
  await expect(page.getByRole("log")).not.toContainText("Уверенность");
  await calls.getByText("Действие: Наличие").click();
  isDecided = true;
  await page.getByRole("link", { name: /К\sтому, что ждёт вас/ }).click();
  await expect(page).toHaveURL(`/conversations?tab=approval&act=${uuid(741)}`);
  await page.goBack();
  await expect(calls).toContainText("Есть, на овсяном");
  await expect(page.getByRole("log")).toContainText("Есть, на овсяном");
});

test("a question to the owner is answered by typing, or left without an answer", async ({ page }) => {
  const question = { target: null, question: null, changes: false, title: "Наличие", arguments: [] };
  const named = [
    { label: "Напиток", value: "латте" },
    { label: "Размер", value: "большой" },
  ];
  const first = buildAct(1, { ...question, arguments: named, ownerQuestion: "Есть ли латте на овсяном?" });
  const second = buildAct(2, { ...question, ownerQuestion: "Есть ли раф?" });
  let open: Act[] = [second, first];
  let tries = 0;
  const calls = await withTwins(page, {
    "GET /api/acts": () => open,
    "GET /api/acts/count": () => ({ waiting: open.length }),
    "GET /api/approvals": json([]),
    "GET /api/conversations": json([buildConversation(1)]),
    [`POST /api/acts/${first.id}/answer`]: (route, request) => {
      tries += 1;
      if (tries === 1) return fails(503, "База данных временно недоступна")(route, request);
      open = open.filter(({ id }) => id !== first.id);
      return json({ ...first, state: "done", result: [{ label: "Ответ", value: "Да" }] })(route, request);
    },
    [`POST /api/acts/${second.id}/reject`]: () => {
      open = open.filter(({ id }) => id !== second.id);
      return { ...second, state: "refused", reason: "Вы отклонили" };
    },
  });
  await page.setViewportSize(DESKTOP);
  await page.goto("/conversations?tab=approval");
  const card = page.getByRole("article").filter({ visible: true });
  await expect(card).toContainText("Двойник спрашивает вас");
  await expect(button(page, "Ответить")).toHaveAttribute("aria-disabled", "true");
  // The question is said once, with what it names.
  await expect(card.getByText("Есть ли латте на овсяном?")).toHaveCount(1);
  await expect(card.getByText("латте", { exact: true })).toHaveCount(0);
  await expect(card).toContainText("Размербольшой");
  await expect(card).toContainText("Ctrl+Enter отправит");
  const field = card.getByLabel("Ваш ответ");
  // Letters that decide on drafts are only typed here.
  await field.pressSequentially("ar Да");
  await expectAccessibleCrosswise(page, "a question that waits");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await field.fill("Да");
  await field.press("Control+Enter");
  await expect(page.getByText("База данных временно недоступна").first()).toBeVisible();
  await button(page, "Ответить").dblclick();
  await expect(card).toContainText("Есть ли раф?");
  await expect(page.getByRole("status").filter({ hasText: "Наличие" })).toContainText("Наличие: ответ «Да»");
  const sent = () => calls.filter(({ call }) => call.startsWith("POST /api/acts/"));
  expect(sent().map(({ body }) => body)).toEqual([{ text: "Да" }, { text: "Да" }]);
  await button(page, "Не отвечать").click();
  await expect(page.getByText("Ничто не ждёт одобрения")).toBeVisible();
  expect(sent()).toHaveLength(3);
});
