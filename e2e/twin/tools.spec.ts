// /twin-tools/{id}: what a twin looks up and does in its owner's systems: made, tried and called in the test chat.
import type { Tool, ToolInput } from "#contract/actions/tools.ts";
import { uuid } from "../factories/ids.ts";
import { user } from "../factories/people.ts";
import { buildAct, buildBookingTool, buildCall, buildTool, buildTrial } from "../factories/tool.ts";
import { expectAccessibleCrosswise, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { DESKTOP } from "../support/viewports.ts";
import { AT, button, screen } from "./tools-parts.ts";

const ORDERS = `Номер заказа;Телефон;Статус;Доставка
1042;+7 912 345-67-89;в пути;12 декабря
1043;8 (921) 000-11-22;собран;14 декабря
`;

test.use({ allowedConsoleErrors: [/status of (400|409|503)/] });

test("a table of orders is made, tried and asked in the test chat, which shows the call", async ({ page }) => {
  const { id } = await asOwner(page, { name: "Анна" });
  await page.setViewportSize(DESKTOP);
  await page.goto(`/twin-settings/${id}`);
  await page.getByRole("link", { name: "Действия", exact: true }).click();
  await expect(page.getByText("Действий пока нет")).toBeVisible();
  // The page's own heading is the first, and none is left out between.
  await expect(page.getByRole("heading", { name: "Просто", level: 2 })).toBeVisible();
  await page.getByRole("link", { name: "Таблица заказов" }).click();
  // Nothing else is asked until there is a table.
  await expect(page.getByLabel("Название")).toHaveCount(0);
  const file = page.locator("input[type=file]");
  await file.setInputFiles({ name: "фото.png", mimeType: "image/png", buffer: Buffer.from("x") });
  await expect(page.getByRole("alert")).toHaveText("Нужен файл CSV или xlsx");
  // It stands below the place where the file was dropped, and says nothing of the address.
  await expect(page.getByLabel("Или адрес CSV")).not.toHaveAttribute("aria-invalid");
  await page.getByLabel("Или адрес CSV").fill("http://192.168.1.1/orders.csv");
  await button(page, "Прочитать").click();
  await expect(page.getByRole("alert")).toContainText("публичный адрес по https");
  await expect(page.getByLabel("Или адрес CSV")).toHaveAttribute("aria-invalid", "true");
  await file.setInputFiles({ name: "Заказы.csv", mimeType: "text/csv", buffer: Buffer.from(ORDERS) });
  await expect(page.getByRole("region", { name: "Первые строки таблицы" })).toContainText("12 декабря");
  await expect(page.getByLabel("Столбец, по которому ищем")).toHaveValue("Номер заказа");
  await expect(page.getByRole("checkbox", { name: "Статус" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Телефон" })).not.toBeChecked();
  await expect(page.getByLabel("Столбец с телефоном собеседника")).toHaveValue("Телефон");

  await button(page, "Создать действие").click();
  await expect(page.getByLabel("Название", { exact: true })).toBeFocused();
  await expect(page.getByRole("alert")).toHaveText([
    "Введите название",
    "Напишите, для чего оно, или хотя бы один пример: иначе двойник не\u00a0поймёт, когда это нужно",
  ]);
  await expect(page.getByText(/^Не\sзаполнено или неверно: 2$/)).toBeVisible();
  await button(page, /^Напишите, для чего оно/).click();
  await expect(page.getByLabel("Для чего оно")).toBeFocused();
  // Each sentence goes once it is mended, in whichever of two fields.
  await page.getByLabel("Название", { exact: true }).fill("Статус заказа");
  await expect(page.getByRole("alert")).toHaveCount(1);
  await page.getByLabel("Пример 1").fill("Где мой заказ 41915?");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText(/^Не\sзаполнено/)).toHaveCount(0);
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
  await page.getByRole("checkbox", { name: "Доставка" }).uncheck();
  await expect(trial).toHaveCount(0);
  await expect(page.getByText("Настройки изменились: проверьте ещё раз")).toBeVisible();
  await page.getByRole("checkbox", { name: "Доставка" }).check();
  await expect(trial).toContainText("в пути");
  await expectAccessibleCrosswise(page, "the form of a table");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);
  await button(page, "Создать действие").dblclick();
  const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Статус заказа" }) });
  await expect(row).toContainText("Включено");
  await expect(row).toContainText("Таблица Заказы.csv, 2 строки");
  await expect(row).toHaveCount(1);
  await expect(page.getByText("Действие создано", { exact: true })).toBeVisible();
  await expectAccessibleCrosswise(page, "the list of tools");

  // The way to try it brings its own example along.
  await row.getByRole("link", { name: "Спросить в чате: Статус заказа" }).click();
  const field = page.getByLabel("Сообщение", { exact: true });
  await expect(field).toHaveValue("Где мой заказ 41915?");
  await expect(page).toHaveURL(`/twins?chat=${id}`);
  await expect(page.getByRole("list", { name: "Что можно спросить" }).getByRole("button").first()).toHaveText(
    "Где мой заказ 41915?",
  );
  const ask = async (text: string) => {
    await field.fill(text);
    await page.keyboard.press("Enter");
  };
  await ask("Где мой заказ 1042?");
  await expect(page.getByText(/^Действие$|^Действие · /).first()).toBeVisible();
  const calls = page.getByRole("list", { name: "Действия" });
  await expect(calls.last()).toContainText("Действие: Статус заказа · номер заказа 1042");
  await ask("6789");
  await expect(calls.last()).toContainText("в пути, 12 декабря");
  await calls.last().getByText("Действие: Статус заказа").click();
  await expect(calls.last().getByText("Что ответила система").first()).toBeVisible();
  await expect(page.getByText("Из вашей системы").first()).toBeVisible();
  // Code worded all of it, which is no guess.
  await expect(page.getByRole("log")).not.toContainText("Уверенность");
  // Nothing here changes anything, so there is nothing to switch on.
  await expect(page.getByRole("switch", { name: /Вызывать на\sсамом деле/ })).toHaveCount(0);
  // The transcript has it too.
  await page.reload();
  await expect(calls.last()).toContainText("в пути, 12 декабря");
  await page.goto(`/twin-tools/${id}?tab=journal`);
  await expect(page.getByRole("list", { name: "Журнал действий" })).toContainText("Статус заказа");
});

test("a tool is switched, changed and deleted in the list; each failure says so", async ({ page }) => {
  let tools: Tool[] = [
    buildTool(1, { taken: [{ example: "Где мой заказ 1042?", by: ["Доставка", "Остаток"] }] }),
    buildBookingTool(2, { needsModel: "fields", example: null }),
    buildTool(3, {
      ...{ title: "Остаток", degree: "never" },
      settings: {
        ...{ kind: "question", question: "Есть ли {tovar}?" },
        fields: [{ name: "tovar", label: "Товар", type: "text", required: true, description: "", choices: [] }],
      },
    }),
  ];
  let answers = false;
  const put = `PUT /api/tools/${uuid(701)}`;
  const calls = await withTwins(
    page,
    screen(null, {
      "GET /api/tools": (route, request) =>
        answers ? json(tools)(route, request) : fails(503, "База данных временно недоступна")(route, request),
      [`PUT /api/tools/${uuid(703)}`]: (_route, request) => {
        const { enabled, degree } = request.postDataJSON() as ToolInput;
        tools = tools.with(2, { ...tools[2]!, enabled, degree });
        return tools[2]!;
      },
      [put]: (route, request) => {
        const { enabled } = request.postDataJSON() as { enabled: boolean };
        tools = [{ ...tools[0]!, enabled }, ...tools.slice(1)];
        return json(tools[0])(route, request);
      },
      [`DELETE /api/tools/${uuid(702)}`]: (route) => {
        tools = tools.toSpliced(1, 1);
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
  // What would not work is not said to be on.
  await expect(second).toContainText("Нужна модель");
  await expect(second).not.toContainText("Включено");
  await expect(second.getByRole("link", { name: "Подключить модель" })).toHaveAttribute("href", "/model");
  await expect(second.getByRole("link", { name: /Спросить в чате/ })).toHaveCount(0);
  // One state: what is never called is neither on nor off.
  const third = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Остаток" }) });
  await expect(third).toContainText(/Не\sвызывается/);
  await expect(third).toContainText("Есть ли (товар)?");
  await expect(third).not.toContainText(/Включено|Никогда/);
  await expect(third.getByRole("switch")).not.toBeChecked();
  await third.getByRole("switch").click();
  await expect(third).toContainText("Спрашивает вас");
  await expectNoSidewaysScroll(page);
  await button(page, "Удалить: Запись на стрижку").click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("ключи удалятся");
  await dialog.getByRole("button", { name: "Удалить" }).dblclick();
  // The dialog hides the list from assistive technology while it is open.
  await expect(dialog).toHaveCount(0);
  await expect(second).toHaveCount(0);
  expect(calls.filter(({ call }) => call.startsWith("DELETE"))).toHaveLength(1);
  // An example that other actions share is named in the list and at its field, until it is changed.
  const taken = page.getByText(/^Так\sже спрашивают «Доставка», «Остаток»/);
  await expect(first).toContainText(/на\s«Где мой заказ 1042\?» без\sмодели двойник/);
  await page.getByRole("link", { name: "Изменить: Статус заказа" }).click();
  await expect(taken).toBeVisible();
  await page.getByLabel("Пример 1").fill("Где посылка 1042?");
  await expect(taken).toHaveCount(0);
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
  await expect(trial.getByRole("status")).toHaveText(/^Пока ничего не\sвыбрано: нажмите на\sзначения$/);
  await button(page, "Взять отсюда: data.order").click();
  await button(page, /^status:/).click();
  await button(page, /^date:/).click();
  // The program's own name is none for customers.
  await expect(page.getByLabel("Название для status")).toHaveValue("");
  await page.getByLabel("Название для status").fill("Статус");
  await page.getByLabel("Название для delivery.date").fill("Когда привезут");
  // What is chosen shows at once, of the answer that is already here.
  const learned = page.getByRole("status").filter({ has: page.getByLabel("Что нашлось") });
  await expect(learned).toHaveText("Статусв путиКогда привезут12.12");
  await expectAccessibleCrosswise(page, "the form of a request");
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(DESKTOP);

  await page.getByLabel("Название", { exact: true }).fill("Заказ в системе");
  await button(page, "Убрать: status").click();
  await button(page, "Убрать: delivery.date").click();
  await expect(page.getByRole("checkbox", { name: /^Сообщать всё/ })).not.toBeChecked();
  await button(page, "Создать действие").click();
  await expect(page.getByRole("alert").first()).toHaveText(
    "Выберите в ответе, что сообщать, или отметьте «Сообщать всё»",
  );
  await button(page, /^status:/).click();
  await button(page, /^date:/).click();
  await button(page, "Создать действие").click();
  // The customer reads no path, and of the names that lack each is reached by its own.
  await expect(learned).toHaveText("(без названия)в пути(без названия)12.12");
  await button(page, "Введите название: значение delivery.date").click();
  await expect(page.getByLabel("Название для delivery.date")).toBeFocused();
  await button(page, "Введите название: значение status").click();
  await expect(page.getByLabel("Название для status")).toBeFocused();
  await page.getByLabel("Название для status").fill("status");
  await button(page, "Создать действие").click();
  await expect(page.getByRole("alert")).toContainText([
    "Назовите по-русски: собеседник прочтёт это название",
    "Введите название",
    "Укажите, чем собеседник подтверждает",
  ]);
  await page.getByLabel("Название для status").fill("Статус");
  await page.getByLabel("Название для delivery.date").fill("Когда привезут");
  // What the answer holds is chosen, so another trial folds it.
  await button(page, "Проверить").click();
  await expect(learned).toHaveText("Статусв путиКогда привезут12.12");
  await expect(trial.getByRole("list", { name: "Ответ системы" })).toBeHidden();
  await page.getByLabel("Пример 1").fill("Где мой заказ 1042?");
  await button(page, "Добавить вопрос").click();
  await button(page, "Создать действие").click();
  await expect(page.getByRole("alert")).toHaveText(["Введите, что спросить", "Выберите, с чем сверить"]);
  await page.getByLabel("Что назвать").fill("Телефон");
  await page.getByLabel(/Где это в\sответе/).selectOption("data.order.phone");
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
  const { settings } = buildBookingTool(3);
  const keyless = { ...settings, headers: [{ name: "Authorization", missing: true }] } as Tool["settings"];
  const imported = buildBookingTool(3, { title: "Отмена записи", enabled: false, settings: keyless });
  const calls = await withTwins(
    page,
    screen([buildBookingTool(2), imported], {
      "POST /api/tools/try": json(dry),
      [`PUT /api/tools/${uuid(702)}`]: json(buildBookingTool(2)),
      [`PUT /api/tools/${uuid(703)}`]: json(imported),
    }),
  );
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
  // A key of the same host is entered once for all actions that lack it.
  await page.getByLabel("Значение", { exact: true }).fill("Bearer new");
  await expect(page.getByRole("checkbox", { name: /^Сохранить этот ключ/ })).toBeChecked();
  await expect(page.getByText(/не\sхватает: Отмена записи$/)).toBeVisible();
  await expectAccessibleCrosswise(page, "the form of a change");
  await button(page, "Сохранить").click();
  await expect(page).toHaveURL(AT);
  const keyed = { settings: { headers: [{ name: "Authorization", value: "Bearer new" }] } };
  expect(calls.filter(({ call }) => call.startsWith("PUT")).map(({ body }) => body)).toMatchObject([
    ...[keyed, { title: "Отмена записи", enabled: false, ...keyed }],
  ]);
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
