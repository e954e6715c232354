import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { TAKEN } from "#packages/mtproto-test-server/telegram-account-server.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { sources } from "#server/platform/db/schema/knowledge.ts";
import type { ConnectedAccount } from "#server/test/channels/account-bench.ts";
import {
  bench,
  connect,
  prepareAccountImport,
  read,
  stateOf,
  stored,
  t,
  telegram,
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
