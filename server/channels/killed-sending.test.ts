/** The whole server is killed while a message is on its way: afterwards nobody can know whether it came; nothing is sent again but a draft to its owner. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/approvals.ts";
import { prepareDataFolder, startServer } from "#server/test/child-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/telegram-server.ts";

const TOKEN = "90:token-of-a-bot";
const OTHER = "91:token-of-a-bot";
let telegram: TelegramServer;
let folder: string;
beforeAll(async () => {
  telegram = await startTelegramServer();
  folder = await mkdtemp(join(tmpdir(), "dt-killed-"));
});
afterAll(async () => {
  await telegram.close();
  await rm(folder, { recursive: true, force: true });
});

test("a send that kill -9 has cut is unknown after the restart; a draft on its way to its owner comes once more, marked", async () => {
  const environment = {
    DATA_DIR: join(folder, "data"),
    DEMO: "0",
    LOG_LEVEL: "warn",
    REQUESTS_PER_MINUTE: "0",
    TELEGRAM_API_ROOT: telegram.root,
  };
  await prepareDataFolder(environment.DATA_DIR);
  let server = await startServer(environment, folder);
  let authorization = "";
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { "content-type": "application/json", authorization },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${path} ${answer.status}`).toBe(true);
    // biome-ignore lint/suspicious/noExplicitAny: the contract's checks are other tests' business
    return (await answer.json()) as any;
  };
  const { token } = await call("POST", "/api/auth/email/register", {
    email: "ann@example.test",
    password: "copper and patina",
    firstName: "Анна",
    lastName: "К",
  });
  authorization = `Bearer ${token}`;
  const { id: digitalTwinId } = await call("POST", "/api/digital-twins", {
    name: "Анна",
    description: "Отвечает покупателям магазина",
    personality: "Внимательная, спокойная, шутит редко",
    communicationStyle: "Коротко и по делу",
    knowledgeArea: "Доставка и возврат",
  });
  const { id } = await call("POST", "/api/integrations/create", { digitalTwinId, platform: "telegram", apiKey: TOKEN });
  await call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });

  // A draft of another bot's is on its way to the owner's own chat as well.
  await call("POST", "/api/integrations/create", { digitalTwinId, platform: "telegram", apiKey: OTHER });
  const link = await call("POST", `/api/integrations/${id}/owner-chat`);
  telegram.say(TOKEN, 7, `/start ${new URL(link.url).searchParams.get("start")}`);
  await expect.poll(() => telegram.sends, { timeout: 30_000 }).toBe(1);

  telegram.script({ kind: "hang" }, { kind: "hang" });
  telegram.say(TOKEN, 5, "Привет!");
  telegram.say(OTHER, 8, "Привет!");
  await expect.poll(() => telegram.sends, { timeout: 30_000 }).toBe(3);
  await server.end("SIGKILL");
  server = await startServer(environment, folder);
  const states = async () => ((await call("GET", "/api/approvals")) as Approval[]).map(({ state }) => state);
  await expect.poll(async () => (await states()).sort(), { timeout: 30_000 }).toEqual(["draft", "unknown"]);
  const cards = () => telegram.sent.filter(({ chatId, text }) => chatId === "7" && text.includes("Черновик"));
  await expect.poll(() => cards().length, { timeout: 30_000 }).toBe(1);
  expect(cards()[0]!.text).toContain("Повтор: прошлое сообщение могло не дойти");

  telegram.say(TOKEN, 6, "Добрый день!");
  await expect.poll(() => telegram.sent.length, { timeout: 45_000 }).toBe(3);
  expect(telegram.sent[2]!.chatId).toBe("6");
  const { code } = await server.end("SIGTERM");
  expect(code).toBe(0);
  expect(telegram.sends).toBe(5);
}, 150_000);
