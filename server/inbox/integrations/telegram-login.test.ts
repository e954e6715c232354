import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  API_HASH,
  LOGIN_CODE,
  startTelegramAccountServer,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import { channelState, integrations, telegramLogins } from "#server/platform/db/schema/channels.ts";
import { dcOf } from "#server/test/channels/telegram-account.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let telegram: TelegramAccountServer;
let t: TestApp;
let ann: TestClient;
let twinId: string;
beforeAll(async () => {
  telegram = await startTelegramAccountServer();
  t = await testApp({ telegramDc: dcOf(telegram) });
  ann = await t.signUp();
  twinId = await buildTwin(ann);
});
afterAll(async () => {
  await t.close();
  await telegram.close();
});

const account = (phone = "79001234567") => ({ apiId: "123456", apiHash: API_HASH, phoneNumber: `+${phone}`, twinId });
const verification = () => ({
  ...account(),
  verificationCode: "12345",
  phoneCodeHash: "hash",
  sessionId: "session",
});
const sendCode = (body: object, client = ann) => client.post("/api/integrations/telegram/send-code", body);
const verifyCode = (body: object) => ann.post("/api/integrations/telegram/verify-code", body);

const FIELDS = ["apiId", "apiHash", "phoneNumber", "twinId"];

test.each(FIELDS)("no code is sent without %s", async (field) => {
  for (const value of [undefined, null, "", ...(field === "twinId" ? [] : ["   "])]) {
    const answer = await sendCode({ ...account(), [field]: value });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toBe("Все поля обязательны для подключения");
  }
});

test("no code is sent for an unknown twin", async () => {
  expect((await sendCode({ ...account(), twinId: "не номер" })).json().message).toBe(
    "Выбранный Digital Twin не найден",
  );
  const unknown = await sendCode({ ...account(), twinId: randomUUID() });
  expect([unknown.statusCode, unknown.json().message]).toEqual([404, "Выбранный Digital Twin не найден"]);
});

test("a member without a twin is asked to create one first", async () => {
  const answer = await sendCode(account(), await t.signUp());
  expect([answer.statusCode, answer.json().message]).toEqual([422, "Сначала создайте Digital Twin"]);
});

test("a user cannot connect a colleague's twin", async () => {
  const { organizationId } = ann.caller;
  expect((await sendCode(account(), await t.signUp({ role: "user", organizationId }))).statusCode).toBe(403);
});

test("the code and the login that it was sent for are required", async () => {
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

test("an import needs a Telegram integration that is not paused", async () => {
  const limits = { dialogsLimit: 10, messagesPerDialog: 500 };
  const importInto = (id: string, body: object = limits) =>
    ann.post(`/api/integrations/telegram/${id}/import-data`, body);
  const keys: Record<string, string> = { telegram: `1:${"k".repeat(35)}`, slack: "xoxb-1", discord: "a.b.c" };
  const create = async (platform: string): Promise<string> =>
    (
      await ann.post("/api/integrations/create", { digitalTwinId: twinId, platform, apiKey: keys[platform] ?? "k" })
    ).json().id;

  for (const id of ["undefined", "null"]) {
    const answer = await importInto(id);
    expect([answer.statusCode, answer.json().message]).toEqual([400, "Integration ID не предоставлен"]);
  }
  expect((await importInto(randomUUID())).statusCode).toBe(404);
  expect((await importInto(await create("email"))).json().code).toBe("not_telegram");
  const bot = await create("telegram");
  // The error is the same before Telegram has reported the bot's name: a bot has no sign-in.
  expect((await importInto(bot)).json().code).toBe("bot_without_history");
  await t.services.db.update(integrations).set({ account: "@tea_bot", accountId: "7" }).where(eq(integrations.id, bot));
  expect((await importInto(bot)).json().code).toBe("bot_without_history");
  const paused = await create("telegram");
  await ann.put(`/api/integrations/${paused}`, { status: "inactive" });
  expect((await importInto(paused)).json().code).toBe("integration_inactive");
  for (const body of [{ ...limits, dialogsLimit: 0 }, { ...limits, messagesPerDialog: 1.5 }, { dialogsLimit: 10 }]) {
    expect((await importInto(paused, body)).statusCode).toBe(400);
  }
});

/** Runs the login up to the code. Returns what the wizard sends back with the code. */
async function codeSent(phone: string) {
  const answer = await sendCode(account(phone));
  expect(answer.statusCode, answer.body).toBe(200);
  return { ...account(phone), ...answer.json() };
}
const loginOf = async (id: string) =>
  (await t.services.db.select().from(telegramLogins).where(eq(telegramLogins.id, id)))[0]!;

test("a code connects the account; the input and the session are stored sealed, and the login is over", async () => {
  const person = telegram.person("79001110001", { name: "Анна Петрова" });
  const login = await codeSent(person.phone);
  const kept = await loginOf(login.sessionId);
  for (const secret of [API_HASH, person.phone, login.phoneCodeHash])
    expect(kept.state!.toString()).not.toContain(secret);
  const answer = await verifyCode({ ...login, verificationCode: "123 45" });
  expect(answer.json()).toEqual({ success: true, integration: { id: expect.any(String) } });
  const { id } = answer.json().integration;
  const [shown] = (await ann.get("/api/integrations")).json();
  expect(shown).toMatchObject({
    id,
    platform: "telegram",
    status: "active",
    account: "Анна Петрова",
    phoneNumber: "+79001110001",
    autonomy: "draft",
    settings: { success_rate: 0.95 },
  });
  expect((await loginOf(login.sessionId)).state).toBeNull();
  const state = await t.services.db.select().from(channelState).where(eq(channelState.integrationId, id));
  expect(state.map(({ key }) => key)).toContain("key:2");
  expect((await verifyCode({ ...login, verificationCode: LOGIN_CODE })).json()).toMatchObject({ success: false });
  expect(telegram.mtproto.connections.size).toBe(0);
});

test("a wrong code may be corrected twice; then, or after ten minutes, the login is over", async () => {
  const { phone } = telegram.person("79001110002");
  const login = await codeSent(phone);
  const tryCode = async (verificationCode: string, of = login) =>
    (await verifyCode({ ...of, verificationCode })).json();
  expect(await tryCode("00000")).toEqual({
    success: false,
    error: "Неверный код подтверждения. Осталось попыток: 2.",
  });
  expect((await tryCode("00001")).error).toMatch(/Осталось попыток: 1\.$/);
  expect((await tryCode("00002")).error).toMatch(/запросите новый код/);
  expect(await tryCode(LOGIN_CODE)).toMatchObject({
    success: false,
    error: expect.stringMatching(/запросите новый код/),
  });

  const late = await codeSent(phone);
  const anHourAgo = new Date(Date.now() - 10 * 60_000);
  await t.services.db.update(telegramLogins).set({ createdAt: anHourAgo }).where(eq(telegramLogins.id, late.sessionId));
  expect((await tryCode(LOGIN_CODE, late)).error).toMatch(/Время на ввод кода вышло/);
});

test("the two-step password is asked for after a right code, and a wrong one counts as a try", async () => {
  const { phone } = telegram.person("79001110003", { password: "облачный пароль" });
  const login = { ...(await codeSent(phone)), verificationCode: LOGIN_CODE };
  expect((await verifyCode(login)).json()).toMatchObject({
    success: false,
    error: expect.stringMatching(/двухэтапная/),
  });
  expect((await verifyCode({ ...login, password: "не тот" })).json().error).toBe(
    "Неверный пароль двухэтапной аутентификации. Осталось попыток: 2.",
  );
  const answer = await verifyCode({ ...login, verificationCode: "уже не важен", password: "облачный пароль" });
  expect(answer.json()).toMatchObject({ success: true });
});

test("a login belongs to the member and the twin that it was begun for", async () => {
  const { phone } = telegram.person("79001110004");
  const login = { ...(await codeSent(phone)), verificationCode: LOGIN_CODE };
  const colleague = await t.signUp({ organizationId: ann.caller.organizationId });
  const url = "/api/integrations/telegram/verify-code";
  expect((await colleague.post(url, login)).json()).toMatchObject({ success: false });
  expect((await verifyCode({ ...login, phoneCodeHash: "другой" })).json()).toMatchObject({ success: false });
  const release = telegram.hold("auth.signIn");
  const asked = telegram.calls.length;
  const once = verifyCode(login);
  await expect.poll(() => telegram.calls.slice(asked), { timeout: 20_000 }).toContain("auth.signIn");
  expect((await verifyCode(login)).statusCode).toBe(409);
  release();
  expect((await once).json()).toMatchObject({ success: true });
});

test("Telegram's refusals are explained in Russian, with the time to wait", async () => {
  const { phone } = telegram.person("79001110005");
  const refusal = async (body: object) => {
    const answer = await sendCode({ ...account(phone), ...body });
    return [answer.statusCode, answer.json().message];
  };
  expect(await refusal({ apiHash: "0".repeat(32) })).toEqual([422, expect.stringMatching(/API ID и API Hash/)]);
  expect(await refusal({ apiId: "мой" })).toEqual([422, expect.stringMatching(/API ID — это число/)]);
  expect(await refusal({ phoneNumber: "+70000000000" })).toEqual([
    422,
    expect.stringMatching(/заблокировал этот номер/),
  ]);
  expect(await refusal({ phoneNumber: "+79990000000" })).toEqual([
    422,
    expect.stringMatching(/не знает такого номера/),
  ]);
  telegram.fail("auth.sendCode", "FLOOD_WAIT_300");
  const flood = await sendCode(account(phone));
  expect([flood.statusCode, flood.headers["retry-after"]]).toEqual([429, "300"]);
  expect(flood.json().message).toBe("Telegram просит подождать 5 минут: слишком много попыток входа.");
});

test("the same account signs in again into the same integration, and not for another twin", async () => {
  const person = telegram.person("79001110006");
  const connect = async (of = twinId) => {
    const login = (await sendCode({ ...account(person.phone), twinId: of })).json();
    return verifyCode({ ...account(person.phone), twinId: of, ...login, verificationCode: LOGIN_CODE });
  };
  const first = await connect();
  expect((await connect()).json()).toEqual(first.json());
  const other = await buildTwin(ann, { name: "Олег" });
  const refused = await connect(other);
  expect([refused.statusCode, refused.json().message]).toEqual([
    422,
    expect.stringMatching(/уже подключён к двойнику «Анна»/),
  ]);
});
