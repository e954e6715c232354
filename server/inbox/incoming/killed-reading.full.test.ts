/**
 * Kills the server while recordings are fetched, recognised and answered. Each is kept once, recognised, and answered at most once;
 * undeterminable deliveries are «unknown».
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentWav } from "#server/test/files/recordings.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "#server/test/processes/killable-server.ts";
import { type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";

const COUNT = 8;
const TOKEN = "92:token-of-a-bot-0123456789abcdefghij";
let telegram: TelegramServer;
let service: RecognitionServer;
let server: KillableServer;
beforeAll(async () => {
  telegram = await startTelegramServer();
  service = await startRecognitionServer();
  service.open = true;
  service.says = { text: "Привет!", sure: 0.95 };
  server = await startKillableServer({ PUBLIC_URL: "https://twins.example", TELEGRAM_API_ROOT: telegram.root });
}, SERVER_START_MS);
afterAll(async () => {
  await server?.close();
  await service.close();
  await telegram.close();
});

test("after kill -9 between receiving, fetching, reading and answering nothing is lost and nobody is answered twice", async () => {
  const digitalTwinId = await server.twin();
  const bot = { digitalTwinId, platform: "telegram", apiKey: TOKEN };
  const { id } = await server.call("POST", "/api/integrations/create", bot);
  await server.call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });
  await expect.poll(() => telegram.webhooks.has(TOKEN), { timeout: 30_000 }).toBe(true);
  expect((await server.stop()).code).toBe(0);
  // Only the operator may configure an address on this machine, so the test inserts it directly.
  await server.rows(
    `insert into media_readers (org_id, kind, mode, preset, base_url, model, may_be_private, daily_limit, set_by)
       select i.org_id, 'speech', 'endpoint', 'openai', '${service.baseUrl}', 'm', true, 100, t.owner_id
       from integrations i join twins t on t.id = i.twin_id returning kind`,
  );
  telegram.withholds = true;
  await server.start();

  const { url, secret } = telegram.webhooks.get(TOKEN)!;
  for (let at = 0; at < COUNT; at++) {
    const file_id = `voice-${at}`;
    telegram.kept.set(file_id, silentWav(1));
    const voice = { file_id, file_unique_id: file_id, duration: 1 };
    const update = telegram.privateMessage(3000 + at, "", { text: undefined, voice });
    for (const _again of [1, 2]) {
      const taken = await fetch(`${server.url()}${new URL(url).pathname}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret },
        body: JSON.stringify(update),
      });
      expect(taken.status).toBe(200);
    }
  }
  await expect.poll(() => telegram.fetched.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await server.kill();
  telegram.withholds = false;
  service.silent = true;
  await server.start();
  await expect.poll(() => service.heard.length, { timeout: 90_000 }).toBeGreaterThan(0);
  await server.kill();
  service.silent = false;
  await server.start();
  await expect.poll(() => telegram.sends, { timeout: 120_000 }).toBeGreaterThan(0);
  await server.kill();
  await server.start();
  const settled = async () => {
    const { messagesHandled } = await server.call("GET", `/api/integrations/${id}`);
    const open = (await server.call("GET", "/api/approvals")) as { state: string }[];
    return messagesHandled + open.filter(({ state }) => state === "unknown").length;
  };
  await expect.poll(settled, { timeout: 180_000, interval: 500 }).toBe(COUNT);
  expect((await server.stop()).code).toBe(0);

  const media = await server.rows<{ state: string; stored_name: string; text: string }>(
    "select state, stored_name, text from media_files",
  );
  expect(media).toHaveLength(COUNT);
  expect(new Set(media.map(({ state, text }) => `${state} ${text}`))).toEqual(new Set(["done Привет!"]));
  expect(new Set(media.map(({ stored_name: name }) => name)).size).toBe(COUNT);
  const perChat = new Map<string, number>();
  for (const { chatId } of telegram.sent) perChat.set(chatId, (perChat.get(chatId) ?? 0) + 1);
  expect(Math.max(...perChat.values())).toBe(1);
  const [states] = await server.rows<{ unknown: number; sent: number; all: number }>(
    `select count(*) filter (where state = 'unknown')::int as unknown, count(*) filter (where state = 'sent')::int as sent,
       count(*)::int as all from outbox`,
  );
  expect(states).toMatchObject({ all: COUNT, sent: COUNT - states!.unknown });
  const lines = await server.rows<{ content: string }>("select content from conversation_messages where role = 'user'");
  expect(lines.map(({ content }) => content)).toEqual(Array(COUNT).fill("[Голосовое сообщение] Привет!"));
}, 600_000);
