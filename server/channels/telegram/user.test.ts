/** A connected Telegram account against a local MTProto server: what comes in, what goes out, how it ends. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Integration } from "#contract/integrations/integrations.ts";
import type { Account, TelegramAccountServer } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { integrations, outbox } from "#server/db/schema.ts";
import {
  type AccountBench,
  accountBench,
  type ConnectedAccount,
  inboundOf,
} from "#server/test/channels/account-bench.ts";
import { signIn } from "#server/test/channels/telegram-account.ts";
import type { TestApp, TestClient } from "#server/test/test-app.ts";
import { entitiesOf } from "./message.ts";

let bench: AccountBench;
let t: TestApp;
let telegram: TelegramAccountServer;
beforeAll(async () => {
  bench = await accountBench();
  ({ t, telegram } = bench);
});
afterAll(() => bench.close());

const WAIT = { timeout: 20_000, interval: 50 };
const IVAN = 501;

/** A twin with an account that has a dialog with Иван, connected and listening. */
async function connect(): Promise<ConnectedAccount> {
  const connected = await bench.connect((account) => {
    telegram.addDialog(account, IVAN, "Иван", ["привет", "здравствуйте"]);
    telegram.addDialog(account, 900, "Чат дома", ["все привет"], "group");
  });
  await bench.look();
  await expect.poll(() => connectionsOf(connected.account), WAIT).toBe(1);
  await expect.poll(async () => "pts" in (await rowOf(connected.id)).cursor, WAIT).toBe(true);
  return connected;
}

const connectionsOf = (account: Account): number =>
  [...telegram.mtproto.keys.values()]
    .filter(({ kept }) => kept.account === account)
    .reduce((sum, { connections }) => sum + connections.size, 0);
const shown = async (ann: TestClient, id: string): Promise<Integration> =>
  (await ann.get("/api/integrations")).json().find((one: Integration) => one.id === id);
async function rowOf(id: string) {
  return (await t.services.db.select().from(integrations).where(eq(integrations.id, id)))[0]!;
}
const approvals = async (ann: TestClient): Promise<Approval[]> => (await ann.get("/api/approvals")).json();
async function approveFirst(ann: TestClient): Promise<Approval> {
  await expect.poll(async () => (await approvals(ann)).length, WAIT).toBe(1);
  const [draft] = await approvals(ann);
  await ann.post(`/api/approvals/${draft!.id}/approve`);
  return draft!;
}

test("a person's message becomes a draft and, once approved, one message; the echo of our own send is ignored", async () => {
  const { ann, account, id } = await connect();
  telegram.say(account, 900, "а это в группе");
  telegram.say(account, IVAN, "Сколько стоит доставка?");
  const draft = await approveFirst(ann);
  expect(draft).toMatchObject({ platform: "telegram", contactName: "Иван", question: "Сколько стоит доставка?" });
  await expect.poll(() => account.sent.length, WAIT).toBe(1);
  expect(account.sent[0]).toMatchObject({ to: IVAN, text: expect.stringContaining(draft.text) });
  const sentId = account.log.at(-1)!.id;
  await expect.poll(async () => (await rowOfOutbox(id)).externalIds, WAIT).toEqual([String(sentId)]);
  telegram.say(account, IVAN, "Спасибо");
  await expect
    .poll(async () => (await inboundOf(t, id)).map(({ text }) => text), WAIT)
    .toEqual(["Сколько стоит доставка?", "Спасибо"]);
  expect(telegram.mtproto.mostAtOnce).toBe(1);
  // Where the owner lets it, without him; the contact sees that it is being written.
  await expect.poll(async () => (await approvals(ann)).length, WAIT).toBe(1);
  expect(telegram.calls).not.toContain("messages.setTyping");
  await ann.put(`/api/integrations/${id}`, { autonomy: "auto" });
  telegram.say(account, IVAN, "Привет!");
  await expect.poll(() => account.sent.length, WAIT).toBe(2);
  expect(telegram.calls).toContain("messages.setTyping");
});

async function rowOfOutbox(id: string) {
  return (await t.services.db.select().from(outbox).where(eq(outbox.integrationId, id)))[0]!;
}

test("a message that the owner writes on his phone counts as his; neither a dropped connection nor a restart loses any", async () => {
  const { account, id } = await connect();
  telegram.ownerSays(account, IVAN, "я сам отвечу");
  await expect.poll(async () => (await inboundOf(t, id)).length, WAIT).toBe(1);
  expect((await inboundOf(t, id))[0]).toMatchObject({
    conversation: String(IVAN),
    peer: { id: `user${IVAN}`, name: "Иван" },
    fromOwner: true,
    text: "я сам отвечу",
  });
  telegram.dropConnections();
  // More than one answer of Telegram's holds, and without a word of it.
  for (let n = 1; n <= 7; n++) telegram.say(account, IVAN, `пока связи нет ${n}`, true);
  await expect.poll(async () => (await inboundOf(t, id)).length, WAIT).toBe(8);
  await bench.stopReceiving();
  telegram.say(account, IVAN, "пока сервер стоит", true);
  bench.startReceiving();
  await expect.poll(async () => (await inboundOf(t, id)).length, WAIT).toBe(9);
  expect((await inboundOf(t, id)).map(({ position }) => position)).toEqual(
    account.log.slice(3).map(({ id: at }) => at),
  );
  expect(telegram.mtproto.mostAtOnce).toBe(1);
});

test("a send that Telegram puts off or whose answer is lost is delivered once; a refusal names its reason", async () => {
  const { ann, account, id } = await connect();
  telegram.fail("messages.sendMessage", "FLOOD_WAIT_1");
  telegram.say(account, IVAN, "Вы работаете в субботу?");
  await approveFirst(ann);
  await expect.poll(() => account.sent.length, WAIT).toBe(1);
  await expect.poll(async () => (await rowOfOutbox(id)).state, WAIT).toBe("sent");
  const sends = () => telegram.calls.filter((call) => call === "messages.sendMessage").length;
  const before = sends();
  const release = telegram.hold("messages.sendMessage");
  const stateOf = async ({ id }: Approval) => (await t.services.db.select().from(outbox).where(eq(outbox.id, id)))[0]!;
  telegram.say(account, IVAN, "А в воскресенье?");
  const lost = await approveFirst(ann);
  await expect.poll(() => sends() - before, WAIT).toBe(1);
  telegram.dropConnections();
  release();
  await expect.poll(() => stateOf(lost), WAIT).toMatchObject({ state: "sent" });
  expect(account.sent).toHaveLength(2);
  telegram.fail("messages.sendMessage", "USER_PRIVACY_RESTRICTED");
  telegram.say(account, IVAN, "Ответите?");
  const last = await approveFirst(ann);
  await expect
    .poll(() => stateOf(last), WAIT)
    .toMatchObject({ state: "failed", reason: expect.stringMatching(/ограничил в настройках/) });
  expect(account.sent).toHaveLength(2);
});

test("a session that was ended by hand stops the integration and says what to do; signing in again restores it", async () => {
  const { ann, account, twinId, id } = await connect();
  telegram.revoke(account);
  await expect.poll(async () => (await shown(ann, id)).status, WAIT).toBe("error");
  expect((await shown(ann, id)).statusReason).toBe(
    "Telegram завершил сеанс. Войдите в аккаунт заново через мастер на странице «Интеграции».",
  );
  telegram.say(account, IVAN, "вы тут?", true);
  expect(await signIn(async (path, body) => (await ann.post(path, body)).json(), account, twinId)).toBe(id);
  await expect.poll(async () => (await inboundOf(t, id)).map(({ text }) => text), WAIT).toEqual(["вы тут?"]);
  expect(await shown(ann, id)).toMatchObject({ status: "active", statusReason: null });
});

test("a removed integration leaves no session behind", async () => {
  const { ann, account, id } = await connect();
  telegram.calls.length = 0;
  expect((await ann.delete(`/api/integrations/${id}`)).statusCode).toBe(204);
  expect(telegram.calls).toContain("auth.logOut");
  await expect.poll(() => connectionsOf(account), WAIT).toBe(0);
});

test("an integration that was deleted by a process without its connection leaves no session behind either", async () => {
  const { account, id } = await connect();
  telegram.calls.length = 0;
  await t.services.db.delete(integrations).where(eq(integrations.id, id));
  await expect.poll(() => telegram.calls, WAIT).toContain("auth.logOut");
  await expect.poll(() => connectionsOf(account), WAIT).toBe(0);
});

test("a check in a process without the account's connection tells what the process that has it has found", async () => {
  const { ann, id } = await connect();
  await bench.stopReceiving();
  const held = { leaseOwner: randomUUID(), leaseUntil: new Date(Date.now() + 3600_000) };
  await t.services.db.update(integrations).set(held).where(eq(integrations.id, id));
  expect((await ann.post(`/api/integrations/${id}/check`)).json()).toMatchObject({ ok: true, account: "Анна" });
  await t.services.db
    .update(integrations)
    .set({ checkedAt: null, trouble: "Telegram не отвечает" })
    .where(eq(integrations.id, id));
  expect((await ann.post(`/api/integrations/${id}/check`)).json()).toMatchObject({
    ok: false,
    message: "Telegram не отвечает",
  });
  bench.startReceiving();
});

test("Markdown becomes Telegram's entities", () => {
  expect(entitiesOf("Цена **350 ₽** и `код`, 2 ** 3 🙂 **да**")).toEqual({
    text: "Цена 350 ₽ и код, 2 ** 3 🙂 да",
    entities: [
      { _: "messageEntityBold", offset: 5, length: 5 },
      { _: "messageEntityCode", offset: 13, length: 3 },
      { _: "messageEntityBold", offset: 28, length: 2 },
    ],
  });
});
