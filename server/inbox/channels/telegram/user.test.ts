/** A connected Telegram account against a local MTProto server: receiving, sending, and ending the session. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { entitiesOf } from "#server/inbox/telegram-account/message.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { inboundOf } from "#server/test/channels/account-bench.ts";
import {
  approvals,
  approveFirst,
  bench,
  connect,
  connectionsOf,
  IVAN,
  prepareUser,
  rowOfOutbox,
  t,
  telegram,
  WAIT,
} from "#server/test/channels/user-bench.ts";
import { telegramUser } from "./user.ts";

prepareUser();

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
  // With the owner's permission it is sent automatically; the contact sees that it is being written.
  await expect.poll(async () => (await approvals(ann)).length, WAIT).toBe(1);
  expect(telegram.calls).not.toContain("messages.setTyping");
  await ann.put(`/api/integrations/${id}`, { autonomy: "auto" });
  telegram.say(account, IVAN, "Привет!");
  await expect.poll(() => account.sent.length, WAIT).toBe(2);
  // Nothing waits for the typing signal, so it may reach the server after the message.
  await expect.poll(() => telegram.calls, WAIT).toContain("messages.setTyping");
});

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
  // More messages than one response of Telegram holds, none of them lost.
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

test("each refusal of a send has the result that decides about another try, and a message sent before is found", async () => {
  const { account, id } = await connect();
  telegram.say(account, IVAN, "Сколько стоит доставка?");
  await expect.poll(async () => (await inboundOf(t, id)).length, WAIT).toBe(1);
  const channel = telegramUser({
    apiId: "123456",
    apiHash: "h",
    integrationId: id,
    network: { dc: null, proxy: null },
  });
  const send = (more: object = {}) =>
    channel.send({
      ...{ key: "refusals", conversation: String(IVAN), context: {}, lastInboundAt: null, text: "Да", delivered: 0 },
      ...more,
    });
  const refusals: [string, object][] = [
    ["FLOOD_WAIT_40", { kind: "retry", afterMs: 40_000, message: "Telegram просит подождать 40 секунд" }],
    ["PEER_FLOOD", { kind: "blocked" }],
    ["USER_DEACTIVATED", { kind: "auth", message: "Аккаунт Telegram удалён." }],
    ["MESSAGE_TOO_LONG", { kind: "invalid", message: "Telegram не принял сообщение" }],
  ];
  for (const [refusal, result] of refusals) {
    telegram.fail("messages.sendMessage", refusal);
    expect(await send(), refusal).toMatchObject({ ok: false, externalIds: [], ...result });
  }
  expect(await send({ conversation: "12345" })).toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("больше не показывает"),
  });
  const sent = await send();
  expect(sent).toMatchObject({ ok: true });
  // The answer to the first send was lost, so it is repeated.
  expect(await send()).toEqual(sent);
  expect(account.sent).toHaveLength(1);
  telegram.fail("users.getUsers", "FLOOD_WAIT_40", "USER_DEACTIVATED", "PERSISTENT_TIMESTAMP_EMPTY");
  const verifying = () => channel.verify().catch((error: unknown) => error);
  expect(await verifying()).toMatchObject({ kind: "away", afterMs: 40_000 });
  expect(await verifying()).toMatchObject({ kind: "auth" });
  expect(await verifying()).toMatchObject({ kind: "away", message: "Telegram недоступен" });
  expect(await channel.verify()).toMatchObject({ name: "Анна" });
  const file = channel.fetchMedia!({ message: 1, user: IVAN }, { maxBytes: 10, signal: AbortSignal.timeout(5_000) });
  await expect(file).rejects.toThrow("Telegram больше не отдаёт этот файл.");
  await bench.stopReceiving();
  expect(await send()).toMatchObject({ ok: false, kind: "retry", message: "Telegram недоступен" });
  await expect(channel.verify()).rejects.toMatchObject({ kind: "away", message: "Аккаунт сейчас не подключён" });
  bench.startReceiving();
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
