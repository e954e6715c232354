/** The whole server is killed while a message is on its way: afterwards nobody can know whether it came, and nothing is sent again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/approvals.ts";
import { startServer } from "#server/test/child-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/telegram-server.ts";

const TOKEN = "90:token-of-a-bot";
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

test("a send that kill -9 has cut is unknown after the restart; what comes then is answered", async () => {
  const environment = {
    DATA_DIR: join(folder, "data"),
    DEMO: "0",
    LOG_LEVEL: "warn",
    REQUESTS_PER_MINUTE: "0",
    TELEGRAM_API_ROOT: telegram.root,
  };
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

  telegram.script({ kind: "hang" });
  telegram.say(TOKEN, 5, "Привет!");
  await expect.poll(() => telegram.sends, { timeout: 30_000 }).toBe(1);
  await server.end("SIGKILL");
  server = await startServer(environment, folder);
  const states = async () => ((await call("GET", "/api/approvals")) as Approval[]).map(({ state }) => state);
  await expect.poll(states, { timeout: 30_000 }).toEqual(["unknown"]);
  expect(telegram.sends).toBe(1);

  telegram.say(TOKEN, 6, "Добрый день!");
  await expect.poll(() => telegram.sent.length, { timeout: 45_000 }).toBe(1);
  expect(telegram.sent[0]!.chatId).toBe("6");
  const { code } = await server.end("SIGTERM");
  expect(code).toBe(0);
  expect(telegram.sends).toBe(2);
}, 150_000);
