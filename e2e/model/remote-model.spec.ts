// /model: an organisation connects a model of a provider, whose key is kept and not shown.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { asSuperAdmin } from "../support/super-admin.ts";

/** A model whose key is «верный ключ» in Latin. @param options.heldFrom the answer from which all wait for `held` */
async function startModel(
  options: { heldFrom?: number; held?: Promise<void> } = {},
): Promise<{ server: Server; baseUrl: string }> {
  let asked = 0;
  const server = createServer(async (request, response) => {
    let sent = "";
    for await (const part of request) sent += String(part);
    const json = { "content-type": "application/json" };
    if (request.url === "/v1/models") {
      response.writeHead(200, json);
      return response.end(JSON.stringify({ data: [{ id: "m", context_length: 32_768 }, { id: "bge-m3" }] }));
    }
    if (request.method !== "POST") return response.writeHead(404).end();
    if (request.url === "/v1/embeddings") {
      const { input } = JSON.parse(sent) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: [1, text.length, index] }));
      response.writeHead(200, json);
      return response.end(JSON.stringify({ data, usage: { prompt_tokens: 1, total_tokens: 1 } }));
    }
    asked++;
    if (options.heldFrom !== undefined && asked >= options.heldFrom) await options.held;
    const known = request.headers.authorization === "Bearer right-key";
    response.writeHead(known ? 200 : 401, { "content-type": "application/json" });
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    response.end(JSON.stringify(known ? { choices: [{ message: { content: "Да" } }], usage } : { error: {} }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

test("the operator connects a model: errors are shown at their place, the key is kept and not shown", async ({
  page,
}) => {
  const model = await startModel();
  const { headers, organizationId } = await asSuperAdmin(page);
  // All tests of a place share the operator, and another one may have left a model connected.
  await page.request.delete(`/api/organizations/${organizationId}/remote-model`, { headers });
  await page.goto("/model");
  const tab = page.getByRole("tab", { name: "Удалённая модель" });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    // Beside what is advised and installed here, not below it.
    await expect(page.getByText("Все модели", { exact: true })).toBeVisible();
    await expect(tab).toBeInViewport({ ratio: 1 });
  }
  await tab.click();
  await expect(page).toHaveURL("/model?tab=remote");
  const card = page.getByRole("region", { name: "Удалённая модель" });
  await expect(card.getByText("Не подключена")).toBeVisible();
  // What only a specialist needs is folded away.
  await expect(card.getByText("«Russian Trusted Root CA»")).toBeHidden();
  await card.getByText("Для специалиста").click();
  await expect(card.getByText("«Russian Trusted Root CA»")).toBeVisible();
  await expect(card.getByRole("button", { name: "Сохранить" })).toBeDisabled();
  await expect(card.getByText("Сначала вставьте ключ")).toBeVisible();
  await card.getByRole("button", { name: "Проверить" }).click();
  await expect(card.getByText("Введите ключ")).toBeVisible();
  await expect(card.getByLabel("Ключ авторизации")).toBeFocused();

  await card.getByLabel("Поставщик").selectOption("vllm");
  await card.getByLabel("Адрес").fill(model.baseUrl);
  await card.getByLabel("Ключ доступа").fill("wrong-key");
  await card.getByRole("button", { name: "Проверить" }).click();
  await expect(card.getByRole("status")).toContainText("не принял ключ");
  await card.getByLabel("Ключ доступа").fill("right-key");
  await expect(card.getByRole("status")).toBeEmpty();
  await card.getByRole("button", { name: "Проверить" }).click();
  await expect(card.getByRole("status")).toContainText("Модель ответила за");
  await expectAccessibleCrosswise(page, "a remote model that was checked");
  // What is not asked for stays folded.
  await expect(card.getByLabel("Вопрос, за 1000 токенов")).toBeHidden();
  await card.getByText("Цены и дневной предел").first().click();
  await card.getByLabel("Вопрос, за 1000 токенов").fill("много");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await expect(card.getByText("Введите число, например 0,2")).toBeVisible();
  await card.getByLabel("Вопрос, за 1000 токенов").fill("0,2");
  await card.getByLabel("Ответ, за 1000 токенов").fill("0,4");
  await card.getByLabel("Не больше в день, ₽").fill("100");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await expect(card.getByText("Отвечает", { exact: true })).toBeVisible();
  await expect(card.getByText(/^0,00\s₽ из 100,00\s₽$/)).toBeVisible();
  await page.reload();
  await expect(card.getByLabel("Ключ доступа")).toHaveValue("");
  await expect(card.getByText("Сохранён в зашифрованном виде")).toBeVisible();
  // With the key that is kept.
  await card.getByRole("button", { name: "Проверить" }).click();
  await expect(card.locator("form").getByRole("status")).toContainText("Модель ответила за");

  // To another address the key that is kept does not go, and the form does not say that it would.
  await card.getByLabel("Адрес").fill("https://models.example/v1");
  await expect(card.getByText("Сохранён в зашифрованном виде")).toBeHidden();

  const disconnect = card.getByRole("button", { name: "Отключить" });
  await disconnect.focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog", { name: "Отключить удалённую модель?" });
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(disconnect).toBeFocused();
  await expect(card.getByText("Отвечает", { exact: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Отключить и удалить ключ" }).press("Enter");
  await expect(card.getByText("Не подключена")).toBeVisible();
  model.server.closeAllConnections();
  model.server.close();
});

test("a user who is not the operator reads why an address of this machine is not allowed, and its field has the focus", async ({
  page,
}) => {
  await asNewUser(page);
  await page.goto("/model");
  const card = page.getByRole("region", { name: "Удалённая модель" });
  await card.getByLabel("Поставщик").selectOption("ollama");
  await expect(card.getByText("может задать только тот, кто управляет установкой")).toBeVisible();
  const address = card.getByLabel("Адрес");
  // Nothing stands there that would be refused.
  await expect(address).toHaveValue("");
  await expect(card.getByLabel("Поставщик").locator("option:checked")).toHaveText("Ollama: нужен внешний адрес");
  for (const name of ["Сохранить", "Проверить"]) {
    await card.getByLabel("Поставщик").selectOption("vllm");
    await card.getByLabel("Поставщик").selectOption("ollama");
    await address.fill("http://localhost:11434/v1");
    await card.getByRole("button", { name }).click();
    await expect(address).toBeFocused();
    await expect(address).toHaveAttribute("aria-invalid", "true");
    await expect(address).toHaveAccessibleDescription(/ведёт в частную сеть/);
    // Once, at its field.
    await expect(card.getByText("ведёт в частную сеть")).toHaveCount(1);
    await expect(card.getByRole("status")).toBeEmpty();
  }
  await address.fill("https://models.example/v1");
  await expect(address).not.toHaveAttribute("aria-invalid");
});

test("the administrator lets the twins search through the same provider, sets its context, and takes both back", async ({
  page,
}) => {
  const model = await startModel();
  const { headers, organizationId } = await asSuperAdmin(page);
  const data = {
    ...{ preset: "vllm", baseUrl: model.baseUrl, model: "m", apiKey: "right-key", currency: "RUB", enabled: true },
  };
  const address = `/api/organizations/${organizationId}/remote-model`;
  expect((await page.request.put(address, { headers, data })).status()).toBe(200);
  await page.goto("/model?tab=remote");
  const card = page.getByRole("region", { name: "Удалённая модель" });
  await card.getByText("Для специалиста").click();
  const context = card.getByLabel("Сколько токенов модель читает за раз");
  await expect(context).toHaveAccessibleDescription(/спрашиваем у сервера/);
  await card.getByRole("button", { name: "Проверить" }).click();
  await expect(context).toHaveAccessibleDescription(/Сервер говорит: 32\s768/);
  await context.fill("65536");
  await expect(context).toHaveAccessibleDescription(/лишнее он отрежет/);
  await context.fill("100");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await expect(context).toHaveAccessibleDescription(/Не меньше 1024 токенов/);
  await context.fill("16 384");
  await card.getByRole("button", { name: "Сохранить" }).click();
  await page.reload();
  await card.getByText("Для специалиста").click();
  await expect(context).toHaveValue("16384");

  const search = page.getByRole("region", { name: "Поиск по смыслу" });
  await expect(search.getByLabel("Модель для поиска")).toHaveValue("bge-m3");
  await expect(search).toContainText(/На сервер 127\.0\.0\.1:\d+ уходят отрывки документов/);
  await expect(search).toContainText(/не больше 1\s000\s000 .*на двойника/);
  await expectAccessibleCrosswise(page, "search through the provider on offer");
  await search.getByRole("button", { name: "Искать через этого же поставщика" }).press("Enter");
  await expect(search.getByRole("status")).toContainText("Двойники ищут по смыслу моделью bge-m3");
  await page.reload();
  await search.getByRole("button", { name: "Искать снова только по словам" }).click();
  await expect(search.getByLabel("Модель для поиска")).toHaveValue("bge-m3");
  model.server.closeAllConnections();
  model.server.close();
});

test("the administrator starts the exam of the model, sees how far it is and reads what the model may do", async ({
  page,
}) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const model = await startModel({ heldFrom: 5, held });
  const { headers, organizationId } = await asSuperAdmin(page);
  const address = `/api/organizations/${organizationId}/remote-model`;
  const data = {
    ...{ preset: "vllm", baseUrl: model.baseUrl, model: "m", apiKey: "right-key", currency: "RUB" },
    ...{ inputPrice: 0.2, outputPrice: 0.4, enabled: true },
  };
  expect((await page.request.put(address, { headers, data })).status()).toBe(200);
  await page.goto("/model?tab=remote");
  const exam = page.getByRole("region", { name: "Экзамен модели" });
  await expect(exam).toContainText(/около 125\s000 токенов, примерно 26,00\s₽/);
  const cost = page.getByRole("region", { name: "Что стоит ответ" });
  await expect(cost).toContainText("Один ответ: 2 вызова модели, сам ответ и его проверка.");
  await expect(cost).toContainText(/Около 4\s167 токенов, примерно 0,87\s₽/);
  await expect(exam.getByRole("status")).toHaveText(
    "Модель не проверена: экзамена ещё не было, и пока она отвечает сама.",
  );
  await exam.getByRole("button", { name: "Провести экзамен" }).click();
  await expect(exam.getByRole("status")).toContainText(/Идёт экзамен: [1-9] из 30/);
  await expect(exam.getByRole("progressbar", { name: "Экзамен модели" })).toBeVisible();
  // It keeps the focus.
  await expect(exam.getByRole("button", { name: "Провести экзамен" })).toBeFocused();
  await expect(exam.getByRole("button", { name: "Провести экзамен" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessibleCrosswise(page, "an exam under way");
  release();
  await expect(exam.getByRole("status")).toContainText(/\d из 30 верно, \d+ неверно: только беседа/, {
    timeout: 20_000,
  });
  await expect(exam.getByRole("button", { name: "Провести ещё раз" })).toBeEnabled();
  await exam.getByText("Вопросы и ответы модели").click();
  const asked = exam.getByRole("listitem");
  await expect(asked).toHaveCount(30);
  await expect(asked.first()).toContainText("до скольки вы в субботу?");
  await expect(asked.first()).toContainText("Ожидалось: До 17:00");
  await expectAccessibleCrosswise(page, "the result of an exam");
  await page.request.delete(address, { headers });
  model.server.closeAllConnections();
  model.server.close();
});
