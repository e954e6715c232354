/**
 * The server is killed in the middle of a burst of deliveries, each sent three times and in any order, as a platform may:
 * what was acknowledged is stored once, each answer goes out at most once, and what nobody can know is «unknown».
 * BURST=2000 is the burst of the fault table; the suite's is smaller.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareDataFolder, startServer } from "#server/test/child-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/telegram-server.ts";

const BURST = Number(process.env.BURST ?? 24);
const TOKEN = "91:token-of-a-bot";
const SECRET_HEADER = "x-telegram-bot-api-secret-token";
let telegram: TelegramServer;
let folder: string;
beforeAll(async () => {
  telegram = await startTelegramServer();
  folder = await mkdtemp(join(tmpdir(), "dt-burst-"));
});
afterAll(async () => {
  await telegram.close();
  await rm(folder, { recursive: true, force: true });
});

test("kill -9 in a burst of deliveries: each acknowledged one is stored once, each answer goes at most once", async () => {
  const dataDir = join(folder, "data");
  const environment = {
    DATA_DIR: dataDir,
    DEMO: "0",
    LOG_LEVEL: "warn",
    REQUESTS_PER_MINUTE: "0",
    PUBLIC_URL: "https://twins.example.test",
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
  const person = { email: "ann@example.test", password: "copper and patina", firstName: "Анна", lastName: "К" };
  authorization = `Bearer ${(await call("POST", "/api/auth/email/register", person)).token}`;
  const { id: digitalTwinId } = await call("POST", "/api/digital-twins", {
    name: "Анна",
    description: "Отвечает покупателям магазина",
    personality: "Внимательная, спокойная, шутит редко",
    communicationStyle: "Коротко и по делу",
    knowledgeArea: "Доставка и возврат",
  });
  const { id } = await call("POST", "/api/integrations/create", { digitalTwinId, platform: "telegram", apiKey: TOKEN });
  await call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });
  await expect.poll(() => telegram.webhooks.has(TOKEN), { timeout: 30_000 }).toBe(true);
  const { url, secret } = telegram.webhooks.get(TOKEN)!;

  const acknowledged = new Set<number>();
  const updates = Array.from({ length: BURST }, (_, place) => telegram.privateMessage(1000 + place, "Привет!"));
  const deliveries = shuffled([...updates, ...updates, ...updates]);
  const deliver = async (update: (typeof updates)[number]) => {
    const answer = await fetch(`${server.url}${new URL(url).pathname}`, {
      method: "POST",
      headers: { "content-type": "application/json", [SECRET_HEADER]: secret },
      body: JSON.stringify(update),
    }).catch(() => null);
    if (answer?.status === 200) acknowledged.add(update.update_id);
  };
  // As many at once as Telegram's own forty connections.
  const burst = (list: typeof deliveries) => {
    const rest = [...list];
    return Promise.all(
      Array.from({ length: 40 }, async () => {
        for (let next = rest.pop(); next !== undefined; next = rest.pop()) await deliver(next);
      }),
    );
  };
  const first = burst(deliveries);
  await expect.poll(() => telegram.sends, { timeout: 60_000 }).toBeGreaterThan(Math.min(5, BURST / 10));
  await server.end("SIGKILL");
  await first;
  server = await startServer(environment, folder);
  // What was not acknowledged comes again.
  await burst(shuffled(updates));
  expect(acknowledged.size).toBe(BURST);
  const settled = async () => {
    const { messagesHandled } = await call("GET", `/api/integrations/${id}`);
    const open = (await call("GET", "/api/approvals")) as { state: string }[];
    return messagesHandled + open.filter(({ state }) => state === "unknown").length;
  };
  await expect.poll(settled, { timeout: 200_000, interval: 200 }).toBe(BURST);
  expect((await server.end("SIGTERM")).code).toBe(0);

  const database = await PGlite.create(join(dataDir, "database"));
  const rowsOf = async (query: string) => (await database.query<Record<string, number>>(query)).rows;
  const [stored] = await rowsOf(
    "select count(*)::int as events, count(distinct event_id)::int as once from inbox_events",
  );
  const [states] = await rowsOf(
    `select count(*) filter (where state = 'sent')::int as sent, count(*) filter (where state = 'unknown')::int as unknown,
       count(*) filter (where state not in ('sent', 'unknown'))::int as other from outbox`,
  );
  await database.close();
  expect(stored).toEqual({ events: BURST, once: BURST });
  const perChat = new Map<string, number>();
  for (const { chatId } of telegram.sent) perChat.set(chatId, (perChat.get(chatId) ?? 0) + 1);
  expect(Math.max(...perChat.values())).toBe(1);
  expect(states).toMatchObject({ other: 0, sent: BURST - states!.unknown! });
  // Of the unknown some came, some did not; nothing else is missing.
  expect(perChat.size).toBeGreaterThanOrEqual(BURST - states!.unknown!);
}, 300_000);

function shuffled<T>(list: readonly T[]): T[] {
  const order = [...list];
  for (let at = order.length - 1; at > 0; at--) {
    const other = (at * 7919 + 13) % (at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
