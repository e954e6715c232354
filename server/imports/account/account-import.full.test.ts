import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { TAKEN } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { channelState } from "#server/platform/db/schema/channels.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { contacts, sources } from "#server/platform/db/schema/knowledge.ts";
import type { ConnectedAccount } from "#server/test/channels/account-bench.ts";
import {
  bench,
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
const historyCalls = () => telegram.calls.filter((call) => call === "messages.getHistory").length;

/** Imports the same dialog as exported by Telegram Desktop, with one more message. */
async function importFile({ ann, account, twinId }: ConnectedAccount): Promise<void> {
  const list = account.dialogs.get(503)!.messages.map(({ id, out, date, message }) => ({
    id,
    type: "message",
    date_unixtime: String(date),
    from: out ? "Анна" : "Мария",
    from_id: `user${out ? account.id : 503}`,
    text: message,
  }));
  const more = { ...list[0]!, id: 999, text: "только в файле" };
  const chat = { name: "Мария", type: "personal_chat", id: 503, messages: [...list, more] };
  const file = { personal_information: { user_id: account.id }, chats: { list: [chat] } };
  const form = new FormData();
  form.append("digitalTwinId", twinId);
  form.append("file", new Blob([JSON.stringify(file)]), "result.json");
  const response = new Response(form);
  const headers = { "content-type": response.headers.get("content-type")! };
  const payload = Buffer.from(await response.arrayBuffer());
  const { id } = (await ann.inject({ method: "POST", url: "/api/imports", payload, headers })).json();
  const status = async () => (await ann.get(`/api/imports/${id}`)).json().status;
  await expect.poll(status, WAIT).toBe("preview");
  await ann.post(`/api/imports/${id}/start`, { ownerId: `user${account.id}`, consent: true });
  await expect.poll(status, WAIT).toBe("done");
}

test("a repeated import adds nothing, a larger one adds what is missing, and an export file only what it alone contains", async () => {
  const connected = await connect();
  const { ann, twinId } = connected;
  await read(connected);
  expect((await read(connected)).json().stats).toMatchObject({ dialogsProcessed: 3, totalMessages: 0 });
  const [source] = await t.services.db.select().from(sources).where(eq(sources.twinId, twinId));
  expect((await ann.post(`/api/integrations/${source!.id}/reimport`)).json()).toEqual({
    id: source!.id,
    status: "running",
  });
  // The lists show whether the account is being read.
  const lists = async () => [
    (await ann.get("/api/knowledge-base/sources")).json()[0].reimport,
    (await ann.get("/api/crm/integrations")).json()[0].reimport,
  ];
  await expect.poll(async () => (await stateOf(connected)).status, WAIT).toBe("done");
  const still = { obstacle: null, running: false, failure: null };
  expect(await lists()).toEqual([still, still]);
  await t.services.db.update(imports).set({ status: "running" }).where(eq(imports.integrationId, connected.id));
  expect(await lists()).toEqual([
    { ...still, running: true },
    { ...still, running: true },
  ]);
  const failed = { status: "failed" as const, error: "Telegram недоступен" };
  await t.services.db.update(imports).set(failed).where(eq(imports.integrationId, connected.id));
  expect(await lists()).toEqual([
    { ...still, failure: "Telegram недоступен" },
    { ...still, failure: "Telegram недоступен" },
  ]);
  await t.services.db
    .update(imports)
    .set({ status: "done", error: null })
    .where(eq(imports.integrationId, connected.id));
  await importFile(connected);
  // The default import takes more of each dialog: all 176, and one from the file.
  const after = await t.services.db.select().from(sources).where(eq(sources.twinId, twinId));
  expect(after.map(({ id: one, messageCount }) => [one, messageCount])).toEqual([[source!.id, 177]]);
  expect(await stored(connected)).toHaveLength(177);
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

test("a flood wait is respected and shown, and a lost connection loses no message and causes no second reading", async () => {
  const connected = await connect();
  const before = historyCalls();
  telegram.fail("messages.getHistory", TAKEN, "FLOOD_WAIT_2");
  const reading = read(connected);
  const notice = async () => (await stateOf(connected)).notice;
  await expect.poll(notice, WAIT).toMatch(/^Telegram просит подождать до \d\d:\d\d/);
  const goOn = telegram.hold("messages.getHistory");
  expect(await stateOf(connected)).toMatchObject({ status: "running", dialogs: 3, dialogsDone: 1, messages: 6 });
  await expect.poll(() => historyCalls() - before, WAIT).toBe(3);
  // A running import cannot be changed.
  const other = await read(connected, ["user503"]);
  expect([other.statusCode, other.json()]).toMatchObject([409, { code: "import_running" }]);
  await bench.stopReceiving();
  // No process has the connection either, so none can list the dialogs.
  const caller = { ...connected.ann.caller, sessionId: "" };
  const list = listAccountDialogs(t.services, caller, connected.id, { connectingMs: 1 });
  await expect(list).rejects.toMatchObject({ status: 503, code: "account_not_connected" });
  goOn();
  bench.startReceiving();
  expect((await reading).json().stats).toMatchObject({ dialogsProcessed: 3, totalMessages: 146 });
  expect(await stored(connected)).toHaveLength(146);
  // One call for each dialog, and two that found nothing new.
  expect(historyCalls() - before).toBe(5);
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
