/**
 * Kills the server during a burst of deliveries, each sent three times and in any order, as a platform may. Acknowledged messages are
 * stored once, answers are sent at most once, and undeterminable deliveries are «unknown». BURST=2000 is the size in the fault table; the
 * suite's is smaller.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "#server/test/processes/killable-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";

const BURST = Number(process.env.BURST ?? 24);
/** Telegram accepts thirty messages of a bot in a second; a loaded machine sends a tenth of that. */
const SETTLED_MS = 60_000 + BURST * 300;
const TOKEN = "91:token-of-a-bot-0123456789abcdefghij";
const SECRET_HEADER = "x-telegram-bot-api-secret-token";
let telegram: TelegramServer;
let server: KillableServer;
beforeAll(async () => {
  telegram = await startTelegramServer();
  server = await startKillableServer({
    PUBLIC_URL: "https://twins.example",
    TELEGRAM_API_ROOT: telegram.root,
  });
}, SERVER_START_MS);
afterAll(async () => {
  await server?.close();
  await telegram.close();
});

test(
  "after kill -9 in a burst of deliveries each acknowledged one is stored once and each answer is sent at most once",
  async () => {
    const digitalTwinId = await server.twin();
    const bot = { digitalTwinId, platform: "telegram", apiKey: TOKEN };
    const { id } = await server.call("POST", "/api/integrations/create", bot);
    await server.call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });
    await expect.poll(() => telegram.webhooks.has(TOKEN), { timeout: 30_000 }).toBe(true);
    const { url, secret } = telegram.webhooks.get(TOKEN)!;

    const acknowledged = new Set<number>();
    const updates = Array.from({ length: BURST }, (_, place) => telegram.privateMessage(1000 + place, "Привет!"));
    const deliveries = shuffled([...updates, ...updates, ...updates]);
    const deliver = async (update: (typeof updates)[number]) => {
      const answer = await fetch(`${server.url()}${new URL(url).pathname}`, {
        method: "POST",
        headers: { "content-type": "application/json", [SECRET_HEADER]: secret },
        body: JSON.stringify(update),
      }).catch(() => null);
      if (answer?.status === 200) acknowledged.add(update.update_id);
    };
    // Telegram opens at most forty connections at once.
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
    await server.kill();
    await first;
    await server.start();
    // The platform repeats deliveries that were not acknowledged.
    await burst(shuffled(updates));
    expect(acknowledged.size).toBe(BURST);
    const settled = async () => {
      const { messagesHandled } = await server.call("GET", `/api/integrations/${id}`);
      const open = (await server.call("GET", "/api/approvals")) as { state: string }[];
      return messagesHandled + open.filter(({ state }) => state === "unknown").length;
    };
    await expect.poll(settled, { timeout: SETTLED_MS, interval: 500 }).toBe(BURST);
    expect((await server.stop()).code).toBe(0);

    const [stored] = await server.rows(
      "select count(*)::int as events, count(distinct event_id)::int as once from inbox_events",
    );
    const [states] = await server.rows<{ sent: number; unknown: number; other: number }>(
      `select count(*) filter (where state = 'sent')::int as sent, count(*) filter (where state = 'unknown')::int as unknown,
       count(*) filter (where state not in ('sent', 'unknown'))::int as other from outbox`,
    );
    expect(stored).toEqual({ events: BURST, once: BURST });
    const perChat = new Map<string, number>();
    for (const { chatId } of telegram.sent) perChat.set(chatId, (perChat.get(chatId) ?? 0) + 1);
    expect(Math.max(...perChat.values())).toBe(1);
    expect(states).toMatchObject({ other: 0, sent: BURST - states!.unknown });
    // Some messages with an unknown result have arrived and some have not; no others are missing.
    expect(perChat.size).toBeGreaterThanOrEqual(BURST - states!.unknown);
  },
  300_000 + SETTLED_MS,
);

function shuffled<T>(list: readonly T[]): T[] {
  const order = [...list];
  for (let at = order.length - 1; at > 0; at--) {
    const other = (at * 7919 + 13) % (at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
