/** A whole server with a Telegram of its own, and twins whose bots are connected to it: what journeys of channels start from. */
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Autonomy, Integration } from "#contract/integrations/integrations.ts";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import type { Config } from "#server/platform/config.ts";
import { inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import { buildTwin } from "../factories/build-twin.ts";
import { startTelegramServer, type TelegramServer } from "../servers/telegram-server.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";

export const WAIT = { timeout: 20_000, interval: 50 };

export interface ConnectedBot {
  owner: TestClient;
  twinId: string;
  token: string;
  integration: Integration;
  /** Telegram's number of a contact who has not written before. */
  ivan: number;
}

export interface BotBench {
  t: TestApp;
  telegram: TelegramServer;
  supervisor: Supervisor;
  /** A twin with a bot; it drafts unless told otherwise. */
  connect(autonomy?: Autonomy, owner?: TestClient): Promise<ConnectedBot>;
  /** A number that is not assigned. */
  person(): number;
  sentTo(chat: number): string[];
  approvals(client: TestClient): Promise<Approval[]>;
  /** Waits until so many answers wait for the client. */
  drafted(client: TestClient, count?: number): Promise<Approval[]>;
  outboxOf(bot: ConnectedBot): Promise<(typeof outbox.$inferSelect)[]>;
  eventsOf(bot: ConnectedBot): Promise<(typeof inboxEvents.$inferSelect)[]>;
  /** Waits until so many incoming messages are settled. */
  handled(bot: ConnectedBot, count: number): Promise<void>;
  close(): Promise<void>;
}

export async function botBench(overrides: Partial<Config> = {}): Promise<BotBench> {
  const telegram = await startTelegramServer();
  const t = await testApp({ telegramApiRoot: telegram.root, ...overrides });
  const supervisor = startSupervisor(t.services, { everyMs: 150, backoffMs: 50 });
  const { db } = t.services;
  let bots = 100;
  let people = 5000;
  const bench: BotBench = {
    t,
    telegram,
    supervisor,
    async connect(autonomy = "draft", owner) {
      const client = owner ?? (await t.signUp());
      const twinId = await buildTwin(client);
      const token = `${++bots}:token-of-a-bot-0123456789abcdefghij`;
      const account = { digitalTwinId: twinId, platform: "telegram", apiKey: token };
      const made = await client.post("/api/integrations/create", account);
      expect(made.statusCode, made.body).toBe(201);
      const integration: Integration = made.json();
      if (autonomy !== "draft") await client.put(`/api/integrations/${integration.id}`, { autonomy });
      return { owner: client, twinId, token, integration, ivan: ++people };
    },
    person: () => ++people,
    sentTo: (chat) => telegram.sent.filter(({ chatId }) => chatId === String(chat)).map(({ text }) => text),
    approvals: async (client) => (await client.get("/api/approvals")).json(),
    async drafted(client, count = 1) {
      await expect.poll(async () => (await bench.approvals(client)).length, WAIT).toBe(count);
      return bench.approvals(client);
    },
    outboxOf: ({ integration }) =>
      db.select().from(outbox).where(eq(outbox.integrationId, integration.id)).orderBy(outbox.createdAt),
    eventsOf: ({ integration }) =>
      db.select().from(inboxEvents).where(eq(inboxEvents.integrationId, integration.id)).orderBy(inboxEvents.id),
    async handled(bot, count) {
      const open = async () => (await bench.eventsOf(bot)).filter(({ status }) => status !== "pending").length;
      await expect.poll(open, WAIT).toBe(count);
    },
    async close() {
      await supervisor.stop();
      await t.close();
      await telegram.close();
    },
  };
  return bench;
}
