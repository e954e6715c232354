// /twin-tools/{id}: what a twin looks up and does in its owner's systems: made, tried, called in the test chat, decided on by the owner.
import type { Page } from "@playwright/test";
import type { Act } from "#contract/actions/acts.ts";
import type { Tool, ToolInput } from "#contract/actions/tools.ts";
import { buildConversation, buildReply } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { user } from "../factories/people.ts";
import { buildAct, buildBookingTool, buildCall, buildTool, buildTrial } from "../factories/tool.ts";
import { twins } from "../factories/twin.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { type Answers, fails, json, oneTwin, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";

const ORDERS = `Номер заказа;Телефон;Статус;Доставка
1042;+7 912 345-67-89;в пути;12 декабря
1043;8 (921) 000-11-22;собран;14 декабря
`;
const AT = `/twin-tools/${uuid(1)}`;
const [anna] = twins;

const figures = {
  days: 30,
  tools: [
    {
      toolId: uuid(701),
      title: "Статус заказа",
      asked: 12,
      done: 9,
      refused: 2,
      failed: 1,
      unknown: 0,
      waiting: 0,
    },
  ],
};
/** What the screen of Анна's tools asks for. */
const screen = (tools: unknown, more: Answers = {}): Answers => ({
  ...oneTwin(anna!),
  "GET /api/tools": json(tools),
  "GET /api/acts/figures": json(figures),
  ...more,
});

test.use({ allowedConsoleErrors: [/status of (400|409|503)/] });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });

test("a table of orders is made, tried and asked in the test chat, which shows the call", async ({ page }) => {
  const { id } = await asOwner(page, { name: "Анна" });
  await page.setViewportSize(DESKTOP);
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Действия", exact: true }).click();
  await expect(page.getByText("Действий пока нет")).toBeVisible();
  await page.getByRole("link", { name: "Таблица заказов" }).click();
  // Nothing else is asked until there is a table.
  await expect(page.getByLabel("Название")).toHaveCount(0);
  const file = page.locator("input[type=file]");
  await file.setInputFiles({ name: "фото.png", mimeType: "image/png", buffer: Buffer.from("x") });
  await expect(page.getByRole("alert")).toHaveText("Нужен файл CSV или xlsx");
  await page.getByLabel("Или адрес CSV").fill("http://192.168.1.1/orders.csv");
  await button(page, "Прочитать").click();
  await expect(page.getByRole("alert")).toContainText("публичный адрес по https");
  await file.setInputFiles({ name: "Заказы.csv", mimeType: "text/csv", buffer: Buffer.from(ORDERS) });
  await expect(page.getByRole("region", { name: "Первые строки таблицы" })).toContainText("12 декабря");
  await expect(page.getByLabel("Столбец, по которому ищем")).toHaveValue("Номер заказа");
  await expect(page.getByRole("checkbox", { name: "Статус" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Телефон" })).not.toBeChecked();
  await expect(page.getByLabel("Столбец с телефоном собеседника")).toHaveValue("Телефон");

  await button(page, "Создать действие").click();
  await expect(page.getByLabel("Название", { exact: true })).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText("Введите название");
  await page.getByLabel("Название", { exact: true }).fill("Статус заказа");
  await page.getByLabel("Пример 1").fill("Где мой заказ 41915?");
  await expect(page.getByText("Узнаем: Где мой заказ [Номер заказа]?")).toBeVisible();
  await page.getByLabel("Пример 2").fill("Когда привезут?");
  await expect(page.getByText("Номера здесь нет: двойник сначала спросит «Номер заказа»")).toBeVisible();

  // A reload keeps what was typed, as in other long forms.
  await page.reload();
  await expect(page.getByText("Восстановлен черновик")).toBeVisible();
  await expect(page.getByLabel("Пример 1")).toHaveValue("Где мой заказ 41915?");
  const trial = page.getByRole("region", { name: "Что вышло" });
  await page.getByRole("textbox", { name: "Номер заказа" }).fill("1042");
  await page.getByRole("textbox", { name: "Последние 4 цифры телефона", exact: true }).fill("0000");
  await button(page, "Проверить").click();
  await expect(trial).toContainText("Нашлось, но собеседник этого не узнал бы");
  await page.getByRole("textbox", { name: "Последние 4 цифры телефона", exact: true }).fill("6789");
  await button(page, "Проверить").click();
  await expect(trial).toContainText("Собеседник узнал бы");
  await expect(trial).toContainText("в пути");
  await expectAccessibleCrosswise(page, "the form of a table");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Создать действие").dblclick();
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Статус заказа" }) });
  await expect(row).toContainText("Включено");
  await expect(row).toContainText("Таблица Заказы.csv, 2 строки");
  await expect(row).toHaveCount(1);
  await expectAccessibleCrosswise(page, "the list of tools");

  await page.goto(`/twins?chat=${id}`);
  const ask = async (text: string) => {
    await page.getByLabel("Сообщение", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
  };
  await ask("Где мой заказ 1042?");
  const calls = page.getByRole("list", { name: "Действия" });
  await expect(calls.last()).toContainText("Действие: Статус заказа · номер заказа 1042");
  await ask("6789");
  await expect(calls.last()).toContainText("в пути, 12 декабря");
  await calls.last().getByText("Действие: Статус заказа").click();
  await expect(calls.last().getByText("Что ответила система").first()).toBeVisible();
  // Nothing here changes anything, so there is nothing to switch on.
  await expect(page.getByRole("switch", { name: /Вызывать на\sсамом деле/ })).toHaveCount(0);
  // The transcript has it too.
  await page.reload();
  await expect(calls.last()).toContainText("в пути, 12 декабря");
  await page.goto(`/twin-tools/${id}?tab=journal`);
  await expect(page.getByRole("list", { name: "Журнал действий" })).toContainText("Статус заказа");
});

test("a tool is switched, changed and deleted in the list; each failure says so", async ({ page }) => {
  let tools: Tool[] = [buildTool(1), buildBookingTool(2)];
  let answers = false;
  const put = `PUT /api/tools/${uuid(701)}`;
  const calls = await withTwins(
    page,
    screen(null, {
      "GET /api/tools": (route, request) =>
        answers ? json(tools)(route, request) : fails(503, "База данных временно недоступна")(route, request),
      [put]: (route, request) => {
        const { enabled } = request.postDataJSON() as { enabled: boolean };
        tools = [{ ...tools[0]!, enabled }, ...tools.slice(1)];
        return json(tools[0])(route, request);
      },
      [`DELETE /api/tools/${uuid(702)}`]: (route) => {
        tools = tools.slice(0, 1);
        return route.fulfill({ status: 204 });
      },
    }),
  );
  await page.goto(AT);
  await expect(page.getByText("Не удалось загрузить действия")).toBeVisible();
  answers = true;
  await button(page, "Повторить").click();
  const first = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Статус заказа" }) });
  await expect(first).toContainText("Сам");
  await expect(first).toContainText("спросили 12 раз, выполнено 9, отклонено 2, не удалось 1");
  await first.getByRole("switch", { name: "Включено: Статус заказа" }).click();
  await expect(first).toContainText("Выключено");
  const sent = calls.find(({ call }) => call === put)!.body as ToolInput;
  expect(sent).toMatchObject({
    enabled: false,
    title: "Статус заказа",
    settings: { kind: "table", keyColumn: "Номер" },
  });

  const second = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Запись на стрижку" }) });
  await expect(second).toContainText("Спрашивает вас");
  await button(page, "Удалить: Запись на стрижку").click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("ключи удалятся");
  await dialog.getByRole("button", { name: "Удалить" }).dblclick();
  await expect(second).toHaveCount(0);
  expect(calls.filter(({ call }) => call.startsWith("DELETE"))).toHaveLength(1);
});

test("a request is described, tried, and its result chosen in the answer; a secret is written and never shown", async ({
  page,
}) => {
  const answer = { data: { order: { status: "в пути", phone: "+7 912 345-67-89", delivery: { date: "12.12" } } } };
  const http = {
    request: { method: "GET", url: "https://api.example.ru/orders/1042", body: null },
    status: 200,
    answer: JSON.stringify(answer),
  };
  let tried = 0;
  const calls = await withTwins(
    page,
    screen([], {
      "POST /api/tools/try": (route, request) => {
        tried += 1;
        return (tried === 1 ? fails(400, "Проверьте пример: такое значение не подходит") : json(buildTrial(http)))(
          route,
          request,
        );
      },
      "POST /api/tools": json(buildTool(1), 201),
    }),
  );
  await page.setViewportSize(DESKTOP);
  await page.goto(AT);
  await page.getByRole("link", { name: /Запрос к\sвашей системе/ }).click();
  await page.getByRole("textbox", { name: "Адрес", exact: true }).fill("https://api.example.ru/orders/{order_id}");
  // The field that the address names is added automatically.
  await page.getByRole("textbox", { name: "Адрес", exact: true }).blur();
  await expect(page.getByLabel("Имя в запросе")).toHaveValue("order_id");
  await page.getByLabel("Название для людей").fill("Номер заказа");
  await button(page, "Добавить заголовок").click();
  await page.getByLabel("Значение", { exact: true }).fill("Bearer s3cret");
  await expect(page.getByLabel("Значение", { exact: true })).toHaveAttribute("type", "password");
  await page.getByRole("textbox", { name: "Номер заказа" }).fill("1042");
  await button(page, "Проверить").click();
  await expect(page.getByRole("alert")).toContainText("Проверьте пример");
  await button(page, "Проверить").dblclick();
  const trial = page.getByRole("region", { name: "Что вышло" });
  await expect(trial).toContainText("GET https://api.example.ru/orders/1042");
  expect(tried).toBe(2);
  await button(page, "Взять отсюда: data.order").click();
  await button(page, /^status:/).click();
  await button(page, /^date:/).click();
  await page.getByLabel("Название для status").fill("Статус");
  await page.getByLabel("Название для delivery.date").fill("Когда привезут");
  await expectAccessibleCrosswise(page, "the form of a request");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);

  await page.getByLabel("Название", { exact: true }).fill("Заказ в системе");
  await button(page, "Создать действие").click();
  await expect(page.getByRole("alert")).toContainText("Укажите, чем собеседник подтверждает");
  await button(page, "Добавить вопрос").click();
  await page.getByLabel("Что назвать").fill("Телефон");
  await page.getByLabel(/Где это в\sответе/).fill("data.order.phone");
  await page.getByLabel("Как сверить").selectOption("phone");
  // The secret is not kept in the browser.
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("s3cret");
  await button(page, "Создать действие").dblclick();
  await expect(page).toHaveURL(AT);
  const made = calls.filter(({ call }) => call === "POST /api/tools");
  expect(made).toHaveLength(1);
  expect(made[0]!.body).toMatchObject({
    twinId: uuid(1),
    tool: {
      title: "Заказ в системе",
      degree: "itself",
      proof: { everybody: false, asked: [{ label: "Телефон", source: "data.order.phone", compare: "phone" }] },
      settings: {
        kind: "http",
        resultPath: "data.order",
        shown: [
          { path: "status", label: "Статус" },
          { path: "delivery.date", label: "Когда привезут" },
        ],
        headers: [{ name: "Authorization", value: "Bearer s3cret" }],
      },
    },
  });
});

test("what changes data is only shown until it is really wanted, and is never called without its owner", async ({
  page,
}) => {
  const dry = buildTrial({
    call: buildCall({ outcome: "dry", result: [], note: "Показано, что было бы отправлено. Ничего не вызвано." }),
    request: { method: "POST", url: "https://api.example.ru/bookings", body: '{"time":"15:00"}' },
  });
  const calls = await withTwins(page, screen([buildBookingTool(2)], { "POST /api/tools/try": json(dry) }));
  await page.goto(`${AT}?edit=${uuid(702)}`);
  await expect(page.getByRole("radio", { name: /^Сам/ })).toBeDisabled();
  await expect(page.getByText("Кому это можно сказать")).toHaveCount(0);
  await expect(page.getByLabel("Значение", { exact: true })).toHaveValue("");
  await button(page, "Проверить").click();
  await expect(page.getByRole("heading", { name: "Ушло бы" })).toBeVisible();
  await page.getByRole("checkbox", { name: /Действительно вызвать/ }).check();
  await expect(page.getByText("Запрос уйдёт по-настоящему")).toBeVisible();
  await button(page, "Вызвать по-настоящему").click();
  const trials = () => calls.filter(({ call }) => call === "POST /api/tools/try").map(({ body }) => body);
  await expect.poll(trials).toMatchObject([{ toolId: uuid(702) }, { toolId: uuid(702), really: true }]);
  expect(trials()[0]).not.toHaveProperty("really");
  await expectAccessibleCrosswise(page, "the form of a change");
});

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
    [`POST /api/acts/${lost.id}/settle`]: () => {
      leaves(lost);
      return { ...lost, state: "failed", reason: "Отмечено: не выполнено" };
    },
    [`POST /api/acts/${asks.id}/approve`]: () => {
      leaves(asks);
      return { ...asks, state: "done", result: [{ label: "Номер записи", value: "B-7" }] };
    },
  });
  await page.setViewportSize(DESKTOP);
  await page.goto("/conversations?tab=approval");
  await expect(page.getByRole("tab", { name: /Ждут одобрения/ })).toContainText("2");
  const card = page.getByRole("article").filter({ visible: true });
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

  await expect(card).toContainText("Двойник хочет выполнить: Запись на стрижку");
  await expect(card).toContainText("POST api.example.ru/bookings");
  await expect(card).toContainText("Собеседник подтвердил: «Записать вас на пятницу, 15:00?»");
  await card.focus();
  await page.keyboard.press("a");
  await page.keyboard.press("a");
  await expect(outcome).toContainText("номер записи B-7");
  expect(decided()).toHaveLength(2);
  await expect(page.getByText("Ничто не ждёт одобрения")).toBeVisible();
});

test("a decision that fails says so, and the journal shows how the act stands, by pages and by what waits", async ({
  page,
}) => {
  const acts = [
    buildAct(1),
    buildAct(2, { state: "refused", title: "Статус заказа", reason: "Подтверждение не подошло", question: null }),
  ];
  const asked: string[] = [];
  await withTwins(
    page,
    screen([], {
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
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("Подтверждение не подошло");
  await expectAccessibleCrosswise(page, "the journal");
  await expectNoSidewaysScroll(page);
  await button(page, "Ждут").click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(`${AT}?tab=journal&show=open`);
  await button(page, "Выполнить: Запись на стрижку").dblclick();
  await expect(page.getByText("По этому действию уже решили", { exact: true })).toBeVisible();
  expect(asked.at(-1)).toBe(`twinId=${uuid(1)}&show=open`);
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

test("a member who may only look reads why, and the journal without its buttons", async ({ page }) => {
  const calls = await withTwins(
    page,
    screen([], {
      "GET /api/auth/verify": json({ user: { ...user, role: "viewer" } }),
      "GET /api/acts": json([buildAct(1)]),
    }),
  );
  await page.goto(`${AT}?new=table`);
  await expect(page.getByText("Только просмотр")).toBeVisible();
  await page.getByRole("tab", { name: "Журнал" }).click();
  await expect(button(page, "Выполнить: Запись на стрижку")).toHaveAttribute("aria-disabled", "true");
  expect(calls.map(({ call }) => call)).not.toContain("GET /api/tools");
});

test("more than ten tools are searched by their words", async ({ page }) => {
  const many = Array.from({ length: 11 }, (_, at) =>
    buildTool(at + 1, { id: uuid(800 + at), title: at === 4 ? "Остатки на складе" : `Действие ${at}` }),
  );
  await withTwins(page, screen(many));
  await page.goto(AT);
  await page.getByRole("searchbox", { name: "Найти действие" }).fill("остат");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Остатки на складе"]);
  await page.getByRole("searchbox", { name: "Найти действие" }).fill("нет такого");
  await button(page, "Сбросить поиск").click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(11);
});

test("the palette leads to a twin's actions", async ({ page }) => {
  await withTwins(page, screen([]));
  await page.goto("/twins");
  await expect(page.getByRole("heading", { name: "Анна" })).toBeVisible();
  await page.keyboard.press("Control+KeyK");
  await page.getByRole("combobox").fill("действ");
  await page.getByRole("option", { name: "Действия: Анна" }).click();
  await expect(page).toHaveURL(AT);
});
