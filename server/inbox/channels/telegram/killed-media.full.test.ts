/**
 * Kills the server while an account's recordings are fetched, recognised and answered. The next process with the connection fetches each,
 * and each is recognised and answered once.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startTelegramAccountServer,
  type TelegramAccountServer,
} from "#packages/mtproto-test-server/telegram-account-server.ts";
import { signIn } from "#server/test/channels/telegram-account.ts";
import { silentWav } from "#server/test/files/recordings.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "#server/test/processes/killable-server.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";

const PEOPLE = [501, 502, 503, 504, 505, 506];
const SETTLED = { timeout: 180_000, interval: 250 };
let telegram: TelegramAccountServer;
let service: RecognitionServer;
let server: KillableServer;
beforeAll(async () => {
  telegram = await startTelegramAccountServer();
  service = await startRecognitionServer();
  service.open = true;
  service.says = { text: "Привет!", sure: 0.95 };
  server = await startKillableServer({ TELEGRAM_DC: telegram.address, TELEGRAM_DC_KEY: telegram.publicKey });
}, SERVER_START_MS);
afterAll(async () => {
  await server?.close();
  await service.close();
  await telegram.close();
});

test("after kill -9 between receiving, fetching, reading and answering each who spoke has one answer at most, or one that is left to the owner", async () => {
  const { call } = server;
  const account = telegram.person("79006660001");
  for (const person of [...PEOPLE, 507]) telegram.addDialog(account, person, `Собеседник ${person}`, ["привет"]);
  const id = await signIn((path, body) => call("POST", path, body), account, await server.twin());
  await call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });
  const calls = (name: string) => telegram.calls.filter((one) => one === name).length;
  await expect.poll(() => calls("updates.getDifference"), SETTLED).toBeGreaterThan(0);
  expect((await server.stop()).code).toBe(0);
  // Only the operator may configure an address on this machine, so the test inserts it directly.
  await server.rows(
    `insert into media_readers (org_id, kind, mode, preset, base_url, model, may_be_private, daily_limit, set_by)
       select i.org_id, 'speech', 'endpoint', 'openai', '${service.baseUrl}', 'm', true, 100, t.owner_id
       from integrations i join twins t on t.id = i.twin_id returning kind`,
  );
  const release = telegram.hold("upload.getFile");
  await server.start();
  for (const person of PEOPLE) telegram.sendFile(account, person, { as: "voice", bytes: silentWav(1) });
  await expect.poll(() => calls("upload.getFile"), SETTLED).toBeGreaterThan(0);
  await server.kill();
  // Sent while the server is down.
  telegram.sendFile(account, 507, { as: "voice", bytes: silentWav(1) }, true);
  release();
  service.silent = true;
  await server.start();
  await expect.poll(() => service.heard.length, SETTLED).toBeGreaterThan(0);
  await server.kill();
  service.silent = false;
  await server.start();
  await expect.poll(() => account.sent.length, SETTLED).toBeGreaterThan(0);
  await server.kill();
  await server.start();
  // Messages being sent when the process died are left to the owner, because their delivery is unknown.
  const settled = async () => {
    const { messagesHandled } = await call("GET", `/api/integrations/${id}`);
    const open = (await call("GET", "/api/approvals")) as { state: string }[];
    return messagesHandled + open.filter(({ state }) => state === "unknown").length;
  };
  await expect.poll(settled, SETTLED).toBe(PEOPLE.length + 1);
  expect((await server.stop()).code).toBe(0);

  const answered = account.sent.map(({ to }) => to);
  expect(new Set(answered).size, "nobody is answered twice").toBe(answered.length);
  const [states] = await server.rows<{ unknown: number; sent: number }>(
    "select count(*) filter (where state = 'unknown')::int as unknown, count(*) filter (where state = 'sent')::int as sent from outbox",
  );
  expect(states!.sent + states!.unknown).toBe(PEOPLE.length + 1);
  expect(answered.length).toBeGreaterThanOrEqual(states!.sent);
  const media = await server.rows<{ state: string; stored_name: string; text: string }>(
    "select state, stored_name, text from media_files",
  );
  expect(media.map(({ state, text }) => `${state} ${text}`)).toEqual(Array(PEOPLE.length + 1).fill("done Привет!"));
  expect(new Set(media.map(({ stored_name: name }) => name)).size).toBe(PEOPLE.length + 1);
  const lines = await server.rows<{ content: string }>("select content from conversation_messages where role = 'user'");
  expect(lines.map(({ content }) => content)).toEqual(Array(PEOPLE.length + 1).fill("[Голосовое сообщение] Привет!"));
  expect(telegram.mtproto.mostAtOnce).toBe(1);
}, 600_000);
