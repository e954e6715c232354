/** A server whose alerts are tried out. */
import { afterAll, beforeAll, expect } from "vitest";
import type { AlertTest } from "#contract/health.ts";
import type { AlertsConfig, Config } from "#server/platform/config.ts";
import { type SmtpServer, startSmtpServer } from "#server/test/servers/smtp-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { testApp } from "#server/test/test-app.ts";

export const TOKEN = "77:token-of-the-alerting-bot-0123456789";
const ALERTS: AlertsConfig = { email: "chief@example.test", telegram: { token: TOKEN, chat: "-100500" } };

export let smtp: SmtpServer;
export let telegram: TelegramServer;

export async function tried(changes: Partial<Config> = {}): Promise<AlertTest[]> {
  const t = await testApp({
    ...{ alerts: ALERTS, smtpUrl: smtp.url, telegramApiRoot: telegram.root, publicUrl: "https://twins.example" },
    ...changes,
  });
  try {
    const chief = await t.signUp({ superAdmin: true });
    expect((await chief.get("/api/admin/health")).json().alertWays).toEqual(["mail", "telegram"]);
    const answer = await chief.post("/api/admin/health/alerts/test");
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.body).not.toContain(TOKEN);
    return answer.json();
  } finally {
    await t.close();
  }
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareTestAlert(): void {
  beforeAll(async () => {
    smtp = await startSmtpServer();
    telegram = await startTelegramServer();
  });
  afterAll(async () => {
    await telegram.close();
    await smtp.close();
  });
}
