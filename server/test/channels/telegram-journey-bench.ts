/** A Telegram bot that is connected to a local Bot API server. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import {
  type Connected as ConnectedTwin,
  connectTwin,
  eventsOf as inboxOf,
  rowsOf as outboxOf,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

export let telegram: TelegramServer;
export let t: TestApp;
export let supervisor: Supervisor;

let bots = 100;
export let people = 5000;

export interface Connected extends ConnectedTwin {
  token: string;
  /** A contact who has not written before. */
  ivan: number;
}

export async function connect(autonomy?: Autonomy): Promise<Connected> {
  const token = `${++bots}:token-of-a-bot-0123456789abcdefghij`;
  const connected = await connectTwin(t, { platform: "telegram", apiKey: token }, autonomy);
  return { ...connected, token, ivan: ++people };
}

export const sentTo = (chat: number) =>
  telegram.sent.filter(({ chatId }) => chatId === String(chat)).map(({ text }) => text);
export const rowsOf = (bot: Connected) => outboxOf(t, bot);
export const eventsOf = (bot: Connected) => inboxOf(t, bot);

export async function handled(bot: Connected, count: number): Promise<void> {
  const open = async () => (await eventsOf(bot)).filter(({ status }) => status !== "pending").length;
  await expect.poll(open, WAIT).toBe(count);
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareTelegramJourney(): void {
  beforeAll(async () => {
    telegram = await startTelegramServer();
    t = await testApp({ telegramApiRoot: telegram.root });
    supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
  });
  afterAll(async () => {
    await supervisor.stop();
    await t.close();
    await telegram.close();
  });
}

export function setSupervisor(value: Supervisor): void {
  supervisor = value;
}

export const newPerson = () => ++people;
