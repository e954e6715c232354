import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let ann: TestClient;
let twinId: string;
beforeAll(async () => {
  t = await testApp();
  ann = await t.signUp();
  const twin = await ann.post("/api/digital-twins", {
    name: "Анна",
    description: "Отвечает покупателям магазина",
    personality: "Внимательная, спокойная, шутит редко",
    communicationStyle: "Коротко и по делу",
    knowledgeArea: "Доставка и возврат",
  });
  twinId = twin.json().id;
});
afterAll(() => t.close());

const account = () => ({ apiId: "123456", apiHash: "0123456789abcdef", phoneNumber: "+79001234567", twinId });
const verification = () => ({
  ...account(),
  verificationCode: "12345",
  phoneCodeHash: "hash",
  sessionId: "session",
});
const sendCode = (body: object, client = ann) => client.post("/api/integrations/telegram/send-code", body);
const verifyCode = (body: object) => ann.post("/api/integrations/telegram/verify-code", body);

const FIELDS = ["apiId", "apiHash", "phoneNumber", "twinId"];

test.each(FIELDS)("no code without %s", async (field) => {
  for (const value of [undefined, null, "", ...(field === "twinId" ? [] : ["   "])]) {
    const answer = await sendCode({ ...account(), [field]: value });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toBe("Все поля обязательны для подключения");
  }
});

test("no code for a twin that is not there", async () => {
  expect((await sendCode({ ...account(), twinId: "не номер" })).json().message).toBe(
    "Выбранный Digital Twin не найден",
  );
  const unknown = await sendCode({ ...account(), twinId: randomUUID() });
  expect([unknown.statusCode, unknown.json().message]).toEqual([404, "Выбранный Digital Twin не найден"]);
});

test("whoever has no twin is told to make one first", async () => {
  const answer = await sendCode(account(), await t.signUp());
  expect([answer.statusCode, answer.json().message]).toEqual([422, "Сначала создайте Digital Twin"]);
});

test("a colleague's twin is not connected by a user", async () => {
  const { organizationId } = ann.viewer;
  expect((await sendCode(account(), await t.signUp({ role: "user", organizationId }))).statusCode).toBe(403);
});

test("the code is required, and what it was sent for", async () => {
  for (const verificationCode of [undefined, null, "", "  "]) {
    const answer = await verifyCode({ ...verification(), verificationCode });
    expect([answer.statusCode, answer.json().message]).toEqual([400, "Код подтверждения обязателен"]);
  }
  for (const field of ["phoneCodeHash", "sessionId"]) {
    const answer = await verifyCode({ ...verification(), [field]: "" });
    expect(answer.json().message).toBe("Сначала запросите код подтверждения");
  }
  expect((await verifyCode({ ...verification(), apiHash: "" })).json().message).toBe(
    "Все поля обязательны для подключения",
  );
});

test("calls that are right in all are told honestly that a live account is not served yet", async () => {
  const created = await ann.post("/api/integrations/create", {
    digitalTwinId: twinId,
    platform: "telegram",
    apiKey: "k",
  });
  const importing = `/api/integrations/telegram/${created.json().id}/import-data`;
  for (const answer of [
    await sendCode(account()),
    await verifyCode(verification()),
    await verifyCode({ ...verification(), password: "облачный пароль" }),
    await ann.post(importing, { dialogsLimit: 10, messagesPerDialog: 500 }),
  ]) {
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ code: "telegram_account_unavailable" });
    expect(answer.json().message).toMatch(/пока недоступно/);
  }
});

test("an import needs an integration of Telegram that is not paused", async () => {
  const limits = { dialogsLimit: 10, messagesPerDialog: 500 };
  const importInto = (id: string, body: object = limits) =>
    ann.post(`/api/integrations/telegram/${id}/import-data`, body);
  const create = async (platform: string): Promise<string> =>
    (await ann.post("/api/integrations/create", { digitalTwinId: twinId, platform, apiKey: "k" })).json().id;

  for (const id of ["undefined", "null"]) {
    const answer = await importInto(id);
    expect([answer.statusCode, answer.json().message]).toEqual([400, "Integration ID не предоставлен"]);
  }
  expect((await importInto(randomUUID())).statusCode).toBe(404);
  expect((await importInto(await create("email"))).json().code).toBe("not_telegram");
  const paused = await create("telegram");
  await ann.put(`/api/integrations/${paused}`, { status: "inactive" });
  expect((await importInto(paused)).json().code).toBe("integration_inactive");
  for (const body of [{ ...limits, dialogsLimit: 0 }, { ...limits, messagesPerDialog: 1.5 }, { dialogsLimit: 10 }]) {
    expect((await importInto(paused, body)).statusCode).toBe(400);
  }
});
