// The dashboard opens with what the person has to do now, and each line leads there.
import { buildApproval } from "../factories/conversation.ts";
import { buildWaiting } from "../factories/dashboard.ts";
import { NOW, uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { answering, fails, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { figures, waiting } from "./waiting-parts.ts";

test("the most urgent comes first, a line of 44 px for each, and a line leads to what it is about", async ({
  page,
}) => {
  await answering(page, { ...figures, "GET /api/dashboard/waiting": json(waiting) });
  await page.setViewportSize(DESKTOP);
  await page.goto("/dashboard");
  const panel = page.getByRole("region", { name: "Ждёт вас" });
  const rows = panel.getByRole("listitem");
  await expect(rows).toHaveText([
    /@shop_bot.*Telegram больше не принимает токен.*Анна.*Нужны вы/,
    /Собеседник 1.*Вопрос 1.*Черновик/,
    /Собеседник 2.*Вопрос 2.*Нужен ваш ответ/,
    /Собеседник 3.*Вопрос 3.*Не дошло/,
    /Пётр.*Жду.*2\sновых/,
  ]);
  await expect(panel).toContainText("И ещё 5: в диалогах и интеграциях");
  for (const height of await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))) {
    expect(height).toBeLessThanOrEqual(45);
  }
  // The welcome banner and the four cards of the specification come first, then at once what waits.
  const above = await page.getByRole("region", { name: "Показатели" }).boundingBox();
  expect(above!.y).toBeLessThan((await panel.boundingBox())!.y);
  await expect(panel.getByRole("heading")).toBeInViewport();
  await expectAccessible(page, "the dashboard with what waits");
  await expect(panel.getByRole("link", { name: "Исправить: @shop_bot" })).toHaveAttribute(
    "href",
    `/integrations/${uuid(9)}`,
  );
  await panel.getByRole("link", { name: "Собеседник 2" }).click();
  await expect(page).toHaveURL(`/conversations?dialog=${uuid(31)}`);
});

test("an act that waits, or that must be looked at, leads to where it is decided", async ({ page }) => {
  const act = { contactName: "Пётр", platform: "telegram", twinName: "Анна", about: "Дата: 2026-12-04", since: NOW };
  const acts = {
    total: 2,
    first: [
      { ...act, id: uuid(50), state: "waiting-owner" as const, title: "Запись на пробу" },
      { ...act, id: uuid(51), state: "unknown" as const, title: "Отмена заказа" },
    ],
  };
  await answering(page, { ...figures, "GET /api/dashboard/waiting": json(buildWaiting({ acts })) });
  await page.setViewportSize(PHONE);
  await page.goto("/dashboard");
  const rows = page.getByRole("region", { name: "Ждёт вас" }).getByRole("listitem");
  await expect(rows).toHaveText([/Запись на пробу.*Пётр · Дата.*Ждёт решения/, /Отмена заказа.*Неизвестно/]);
  // Each leads to itself, because the queue begins with another one.
  await expect(rows.getByRole("link", { name: /^Запись на пробу/ })).toHaveAttribute(
    "href",
    `/conversations?tab=approval&act=${uuid(50)}`,
  );
  await rows.getByRole("link", { name: "Проверить: Отмена заказа" }).click();
  await expect(page).toHaveURL(`/conversations?tab=approval&act=${uuid(51)}`);
});

test("a draft is read as a whole and sent from its row, by keys alone, and taken back from the toast", async ({
  page,
}) => {
  const [draft] = waiting.answers.first;
  const APPROVE = `POST /api/approvals/${draft!.id}/approve`;
  const UNDO = `POST /api/approvals/${draft!.id}/undo`;
  const text = `${"Доставим завтра до обеда. ".repeat(30)}\nСпасибо!`;
  const long = { ...waiting, answers: { total: 7, first: [{ ...draft!, text }, ...waiting.answers.first.slice(1)] } };
  let isWaiting = true;
  const decided = buildApproval(1, {
    id: draft!.id,
    state: "pending",
    undoUntil: new Date(Date.now() + 5000).toISOString(),
  });
  const calls = await answering(page, {
    ...figures,
    "GET /api/dashboard/waiting": (route, request) =>
      json(isWaiting ? long : { ...long, answers: { total: 6, first: long.answers.first.slice(1) } })(route, request),
    [APPROVE]: (route, request) => {
      // Sent so that it can be taken back.
      expect(new URL(request.url()).search).toBe("?undo=1");
      isWaiting = false;
      return json(decided)(route, request);
    },
    [UNDO]: (route, request) => {
      isWaiting = true;
      return json({ ...decided, state: "draft", undoUntil: null })(route, request);
    },
  });
  await page.goto("/dashboard");
  const panel = page.getByRole("region", { name: "Ждёт вас" });
  // What may have arrived is sent from no row.
  await expect(panel.getByRole("button", { name: /Собеседник 3/ })).toHaveCount(0);
  const read = panel.getByRole("button", { name: /^Прочитать/ });
  await expect(read).toHaveCount(1);
  await expect(panel.getByRole("button", { name: "Отправить" })).toHaveCount(0);
  const all = panel.getByRole("link", { name: "Разобрать ответы" });
  const background = (of: typeof all) => of.evaluate((link) => getComputedStyle(link).backgroundColor);
  const filled = await background(all);
  await read.focus();
  await page.keyboard.press("Enter");
  await expect(read).toHaveAttribute("aria-expanded", "true");
  // Of two filled buttons none would be the next step.
  expect(await background(all)).not.toBe(filled);
  await expect(panel).toContainText("Ответит Анна");
  await expect(panel.getByText("Спасибо!")).toBeVisible();
  await expectAccessibleCrosswise(page, "a draft that is read on the dashboard");
  await expectFitsNarrowPhone(page);
  await expect(panel.getByRole("link", { name: "Открыть диалог" })).toHaveAttribute(
    "href",
    `/conversations?dialog=${draft!.conversationId}`,
  );
  await read.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(read).toHaveCount(0);
  expect(calls.map(({ call }) => call)).toContain(APPROVE);
  await expect(panel.getByRole("link", { name: "Собеседник 2" })).toBeFocused();
  await page.getByRole("button", { name: "Отменить" }).click();
  await expect(read).toBeVisible();
  expect(calls.map(({ call }) => call)).toContain(UNDO);
});

test("where nothing waits the panel says what would stand in it", async ({ page }) => {
  await answering(page, { ...figures, ...listOf(buildTwin(1)) });
  await page.goto("/dashboard");
  const panel = page.getByRole("region", { name: "Ждёт вас" });
  await expect(panel).toContainText("Сейчас ничто не ждёт");
  await expect(panel).toContainText("черновики");
  await expect(panel.getByRole("link")).toHaveCount(0);
});

test.describe("when the call fails", () => {
  test.use({ allowedConsoleErrors: [/Failed to load resource/] });

  test("the rest of the dashboard stays, and «Повторить» asks again", async ({ page }) => {
    let failing = true;
    await answering(page, {
      ...figures,
      "GET /api/dashboard/waiting": (route, request) =>
        (failing ? fails(500, "Внутренняя ошибка") : json(waiting))(route, request),
    });
    await page.goto("/dashboard");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("Не удалось загрузить, что вас ждёт");
    await expect(page.getByRole("region", { name: "Мои двойники" })).toBeVisible();
    failing = false;
    await alert.getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByRole("region", { name: "Ждёт вас" }).getByRole("listitem")).toHaveCount(5);
  });
});

test("what only the owner can answer is written and sent from its row, on a phone too", async ({ page }) => {
  const question = waiting.answers.first[1]!;
  let isWaiting = true;
  const decided = buildApproval(1, { id: question.id, state: "pending", undoUntil: NOW });
  const calls = await answering(page, {
    ...figures,
    "GET /api/dashboard/waiting": (route, request) =>
      json(isWaiting ? waiting : buildWaiting({ unread: waiting.unread }))(route, request),
    [`PUT /api/approvals/${question.id}`]: json(decided),
    [`POST /api/approvals/${question.id}/approve`]: (route, request) => {
      // What he has answered the twin shall know, for that contact: nothing names everybody.
      expect(new URL(request.url()).search).toBe("?undo=1&teach=contact");
      isWaiting = false;
      return json(decided)(route, request);
    },
  });
  await page.setViewportSize(PHONE);
  await page.goto("/dashboard");
  const panel = page.getByRole("region", { name: "Ждёт вас" });
  // A name has the line to itself and the time.
  const name = await panel.getByText("Собеседник 2").boundingBox();
  const about = await panel.getByText("Вопрос 2").boundingBox();
  expect(about!.y).toBeGreaterThanOrEqual(name!.y + name!.height);
  await panel.getByRole("button", { name: "Ответить: Собеседник 2" }).click();
  await expect(panel.getByRole("textbox", { name: "Ваш ответ" })).toBeFocused();
  await expect(panel.getByRole("button", { name: "Отправить", exact: true })).toBeDisabled();
  await page.keyboard.type("Приходите во вторник.");
  await expect(panel.getByRole("checkbox", { name: /^Научить/ })).toBeChecked();
  await panel.getByRole("button", { name: "Научить для всех…" }).click();
  const asked = page.getByRole("alertdialog", { name: "Научить для всех?" });
  await expect(asked).toContainText("Его увидят и все, кто спросит похожее. Пока об этом спросил один человек.");
  await asked.getByRole("button", { name: "Отмена" }).click();
  await expectAccessibleCrosswise(page, "a question that is answered on the dashboard");
  await panel.getByRole("button", { name: "Отправить", exact: true }).click();
  await expectToast(page, "Ответ отправляется, двойник запомнит его для этого собеседника");
  await expect(panel.getByRole("listitem")).toHaveCount(2);
  expect(calls.find(({ call }) => call === `PUT /api/approvals/${question.id}`)?.body).toEqual({
    text: "Приходите во вторник.",
  });
});

test("the demo workspace's two drafts and what its twin did not know are on the dashboard, each once", async ({
  page,
}) => {
  await asDemoUser(page);
  await page.goto("/dashboard");
  const panel = page.getByRole("region", { name: "Ждёт вас" });
  await expect(panel.getByRole("listitem")).toHaveCount(4);
  await expect(panel.getByRole("button", { name: "Ответить: Олег Тарасов" })).toBeVisible();
  // What waits for an answer of his own is no gap beside that.
  const gaps = panel.getByRole("listitem").filter({ hasText: "Пробелы" });
  await expect(gaps).toContainText(/2\sвопроса/);
  await expect(gaps).not.toContainText("обжарку");
  await expect(panel.getByRole("link", { name: "Разобрать ответы" })).toHaveAttribute(
    "href",
    "/conversations?tab=approval",
  );
});

for (const size of [DESKTOP, PHONE]) {
  test(`a gap's row at ${size.width} px shows its question as text, what else the answer fits, and all buttons at once`, async ({
    page,
  }) => {
    const question = "Есть ли гравировка на подарочных наборах, если заказывать больше десяти штук сразу?";
    const near = { id: uuid(51), question: "Гравируете наборы?" };
    const row = {
      twinId: uuid(1),
      twinName: "Анна",
      questions: 2,
      areMore: false,
      gapId: uuid(50),
      question,
      people: 2,
    };
    const gap = {
      ...{ id: uuid(50), state: "open", question, people: 2, times: 2, lastAskedAt: NOW, questions: [], near: [near] },
      ...{ nearest: null, answer: null, answeredBy: null, ignoredAs: null, proposal: null },
    };
    const counts = { open: 2, answered: 0, ignored: 0 };
    const DECIDE = `PUT /api/digital-twins/${row.twinId}/gaps/${row.gapId}`;
    const calls = await answering(page, {
      ...figures,
      ...listOf(buildTwin(1, { name: "Анна" })),
      "GET /api/dashboard/waiting": json(buildWaiting({ gaps: { total: 1, first: [{ ...row, since: NOW }] } })),
      [`GET /api/digital-twins/${row.twinId}/gaps`]: json({
        ...{ readiness: { questions: 40, atFirst: 20, now: 30 }, counts, gaps: [gap], working: false },
      }),
      [DECIDE]: (route) => route.fulfill({ status: 204 }),
    });
    await page.setViewportSize(size);
    await page.goto("/dashboard");
    const item = page.getByRole("region", { name: "Ждёт вас" }).getByRole("listitem");
    // What the row does not need, its own call reads once it is open.
    await expect(item).toBeVisible();
    expect(calls.map(({ call }) => call)).not.toContain(`GET /api/digital-twins/${row.twinId}/gaps`);
    await item.getByRole("button", { name: /^Ответить на вопрос/ }).click();
    await expect(item.getByRole("textbox")).toHaveCount(1);
    await expect(item.getByRole("textbox", { name: "Двойник ответит" })).toBeFocused();
    const also = item.getByRole("group", { name: "Отметьте, на что этот ответ тоже подходит" });
    await also.getByRole("checkbox", { name: near.question }).check();
    await expect(item.getByText(question)).toBeInViewport({ ratio: 1 });
    for (const name of ["Ответить спросившим", "Ответить всем", "Отмена"])
      await expect(item.getByRole("button", { name, exact: true })).toBeInViewport({ ratio: 1 });
    if (size === PHONE) {
      const bar = (await page.getByRole("navigation", { name: "Быстрая навигация" }).boundingBox())!;
      const last = (await item.getByRole("link", { name: "Все вопросы" }).boundingBox())!;
      expect(last.y + last.height).toBeLessThanOrEqual(bar.y);
      expect((await item.getByRole("button", { name: "Ответить всем" }).boundingBox())!.width).toBeGreaterThan(300);
    }
    await expectAccessible(page, "a gap's row");
    await item.getByRole("button", { name: "Изменить формулировку вопроса" }).click();
    await expect(item.getByRole("textbox", { name: "Когда спросят так" })).toHaveValue(question);
    await item.getByRole("textbox", { name: "Двойник ответит" }).fill("Да, за два дня.");
    await item.getByRole("button", { name: "Ответить всем" }).click();
    await expect
      .poll(() => calls.find(({ call }) => call === DECIDE)?.body)
      .toEqual({ decision: "answer", question, text: "Да, за два дня.", scope: "everybody", also: [near.id] });
  });
}
