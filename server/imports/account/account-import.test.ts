/** Imports a connected account's history from a local MTProto server: what is read, the progress, and interruptions. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { TAKEN } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { channelState } from "#server/platform/db/schema/channels.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import {
  connect,
  LIMITS,
  prepareAccountImport,
  read,
  stateOf,
  stored,
  t,
  telegram,
  url,
} from "#server/test/imports/account-import-bench.ts";
import { listAccountDialogs } from "./account-dialogs.ts";

prepareAccountImport();

const WAIT = { timeout: 25_000, interval: 50 };

test("the latest messages of private dialogs are imported like from an export file", async () => {
  const connected = await connect();
  const { ann, id } = connected;
  expect(await stateOf(connected)).toMatchObject({ status: "none" });
  const answer = await read(connected);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json().stats).toEqual({
    dialogsProcessed: 3,
    totalMessages: 146,
    analysis: {
      communicationStyle: expect.stringMatching(/[а-я]/),
      personality: "Внимательная, спокойная, шутит редко",
      expertise: ["Доставка и возврат"],
    },
  });
  const rows = await stored(connected);
  const of = (chat: string) => rows.filter((row) => row.chat === chat);
  expect(["user501", "user502", "user503"].map((chat) => of(chat).length)).toEqual([100, 40, 6]);
  expect(of("user501")[0]).toMatchObject({ kind: "private", id: "31", own: false, text: "доставка, сообщение 31" });
  expect(of("user501").at(-1)).toMatchObject({ id: "130", own: true });
  expect(rows.map(({ text }) => text).join()).not.toMatch(/Код|группа|канал|бот/);
  expect(await stateOf(connected)).toMatchObject({
    status: "done",
    dialogs: 3,
    dialogsDone: 3,
    messages: 146,
    progress: 1,
  });
  const [shown] = (await ann.get("/api/integrations")).json();
  expect(shown).toMatchObject({ id, messagesImported: 146, lastSync: expect.any(String) });
  expect((await ann.get("/api/imports")).json()).toEqual([]);
});

test("the owner chooses people and groups, and the choice is remembered", async () => {
  const connected = await connect();
  const { ann, account, twinId, id } = connected;
  const listUrl = `/api/integrations/telegram/${id}/dialogs`;
  telegram.fail("messages.getDialogs", "FLOOD_WAIT_40");
  const waiting = await ann.get(listUrl);
  expect([waiting.statusCode, waiting.headers["retry-after"], waiting.json().message]).toEqual([
    429,
    "40",
    expect.stringMatching(/^Telegram просит подождать 40 секунд/),
  ]);
  const { dialogs, chosen } = (await ann.get(listUrl)).json();
  expect(chosen).toEqual([]);
  // A process without the connection gets the same list from the one that has it, and nothing of it is stored.
  const caller = { ...ann.caller, sessionId: "" };
  const elsewhere = () => listAccountDialogs(t.services, caller, id, { accountHere: () => undefined });
  expect(await elsewhere()).toEqual({ dialogs, chosen });
  telegram.fail("messages.getDialogs", "FLOOD_WAIT_50");
  await expect(elsewhere()).rejects.toMatchObject({ status: 429, headers: { "retry-after": "50" } });
  const entries = await t.services.db.select().from(channelState).where(eq(channelState.key, "dialogs"));
  expect(entries).toEqual([]);
  expect(dialogs).toEqual([
    { id: "channel903", name: "Дача", kind: "group", lastMessage: expect.stringMatching(/^2025-/) },
    expect.objectContaining({ id: "chat900", name: "Чат дома", kind: "group" }),
    expect.objectContaining({ id: "user503", name: "Мария", kind: "private" }),
    expect.objectContaining({ id: "user502" }),
    expect.objectContaining({ id: "user501" }),
  ]);

  // The owner's dialogs and the messages that may be read are private to him.
  const { organizationId } = ann.caller;
  for (const other of [await t.signUp(), await t.signUp({ role: "org_admin", organizationId })]) {
    expect((await other.get(listUrl)).statusCode).toBe(404);
    expect((await other.post(url(id), { ...LIMITS, dialogs: ["user503"] })).statusCode).toBe(404);
    const again = await other.post(`/api/integrations/${id}/reimport`, { dialogs: ["user503"] });
    expect(again.statusCode).toBe(404);
  }
  for (const wrong of [[], ["user503; drop"], ["503"]]) expect((await read(connected, wrong)).statusCode).toBe(400);
  expect(await stateOf(connected)).toMatchObject({ status: "none" });

  account.dialogs.delete(502);
  const wanted = ["user503", "user502", "channel903", "chat900"];
  const answer = await read(connected, wanted);
  expect(answer.json().stats).toMatchObject({ dialogsProcessed: 3, dialogsSkipped: 1, totalMessages: 15 });
  expect(await stateOf(connected)).toMatchObject({
    status: "done",
    notice: "Пропущено диалогов: 1. Их больше нет в аккаунте.",
  });
  const kinds = new Map((await stored(connected)).map(({ chat, kind }) => [chat, kind]));
  expect(kinds).toEqual(
    new Map([
      ["user503", "private"],
      ["channel903", "group"],
      ["chat900", "group"],
    ]),
  );
  const neighbour = await t.services.db.select().from(contacts).where(eq(contacts.twinId, twinId));
  expect(neighbour.map(({ externalId, name }) => `${externalId} ${name}`).sort()).toEqual([
    "user503 Мария",
    "user990 Сосед",
  ]);
  expect((await ann.get(listUrl)).json().chosen).toEqual(wanted);

  // Without a choice by the caller, the same dialogs are read again; the account leaves the group before its turn.
  telegram.say(account, 503, "новое", true);
  telegram.say(account, 501, "не выбрано", true);
  telegram.fail("messages.getHistory", TAKEN, "CHANNEL_PRIVATE");
  await ann.post(`/api/integrations/${id}/reimport`);
  await expect.poll(async () => (await stateOf(connected)).status, WAIT).toBe("done");
  const { stats } = await stateOf(connected);
  expect(stats).toMatchObject({ dialogsProcessed: 2, dialogsSkipped: 2, totalMessages: 1 });
  expect(await stored(connected)).toHaveLength(16);
});

test("an account that is disconnected during its import ends the import with the reason", async () => {
  const connected = await connect();
  const release = telegram.hold("messages.getDialogs");
  const reading = read(connected);
  await expect.poll(() => telegram.calls.at(-1), WAIT).toBe("messages.getDialogs");
  telegram.revoke(connected.account);
  release();
  const answer = await reading;
  expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringMatching(/^Telegram завершил сеанс/)]);
  expect(await stateOf(connected)).toMatchObject({ status: "failed", notice: expect.stringMatching(/завершил сеанс/) });
});
