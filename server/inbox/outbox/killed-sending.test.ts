/** Kills the whole server while a message is being sent: afterwards its delivery is unknown; only drafts to the owner are sent again. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "#server/test/processes/killable-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";

const TOKEN = "90:token-of-a-bot-0123456789abcdefghij";
const OTHER = "91:token-of-a-bot-0123456789abcdefghij";
let telegram: TelegramServer;
let server: KillableServer;
beforeAll(async () => {
  telegram = await startTelegramServer();
  server = await startKillableServer({ TELEGRAM_API_ROOT: telegram.root });
}, SERVER_START_MS);
afterAll(async () => {
  await server?.close();
  await telegram.close();
});

test("a send cut by kill -9 is unknown after the restart; an owner's card on its way comes once more, marked", async () => {
  const { call } = server;
  const digitalTwinId = await server.twin();
  const { id } = await call("POST", "/api/integrations/create", { digitalTwinId, platform: "telegram", apiKey: TOKEN });
  await call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });

  // A draft of another bot is being sent to the owner's own chat as well.
  await call("POST", "/api/integrations/create", { digitalTwinId, platform: "telegram", apiKey: OTHER });
  const link = await call("POST", `/api/integrations/${id}/owner-chat`);
  telegram.say(TOKEN, 7, `/start ${new URL(link.url).searchParams.get("start")}`);
  await expect.poll(() => telegram.sends, { timeout: 30_000 }).toBe(1);

  telegram.script({ kind: "hang" }, { kind: "hang" });
  telegram.say(TOKEN, 5, "Привет!");
  telegram.say(OTHER, 8, "Привет!");
  await expect.poll(() => telegram.sends, { timeout: 30_000 }).toBe(3);
  await server.kill();
  await server.start();
  const states = async () => ((await call("GET", "/api/approvals")) as Approval[]).map(({ state }) => state);
  await expect.poll(async () => (await states()).sort(), { timeout: 30_000 }).toEqual(["draft", "unknown"]);
  const cards = () => telegram.sent.filter(({ chatId, text }) => chatId === "7" && text.includes("Черновик"));
  await expect.poll(() => cards().length, { timeout: 30_000 }).toBe(1);
  expect(cards()[0]!.text).toContain("Повтор: прошлое сообщение могло не дойти");

  telegram.say(TOKEN, 6, "Добрый день!");
  await expect.poll(() => telegram.sent.length, { timeout: 45_000 }).toBe(3);
  expect(telegram.sent[2]!.chatId).toBe("6");
  expect((await server.stop()).code).toBe(0);
  expect(telegram.sends).toBe(5);
});
