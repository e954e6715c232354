/** The button «Проверить уведомления»: whoever has set the ways learns what is wrong with one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AlertTest } from "#contract/health.ts";
import type { AlertsConfig, Config } from "#server/config.ts";
import { type SmtpServer, startSmtpServer } from "#server/test/servers/smtp-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { testApp } from "#server/test/test-app.ts";

const TOKEN = "77:token-of-the-alerting-bot-0123456789";
const ALERTS: AlertsConfig = { email: "chief@example.test", telegram: { token: TOKEN, chat: "-100500" } };

let smtp: SmtpServer;
let telegram: TelegramServer;
beforeAll(async () => {
  smtp = await startSmtpServer();
  telegram = await startTelegramServer();
});
afterAll(async () => {
  await telegram.close();
  await smtp.close();
});

async function tried(changes: Partial<Config> = {}): Promise<AlertTest[]> {
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

const failureOf = (tests: AlertTest[], way: AlertTest["way"]) => tests.find((each) => each.way === way)!.failure;

test("a test reaches the mailbox and the chat", async () => {
  expect(await tried()).toEqual([
    { way: "mail", failure: null },
    { way: "telegram", failure: null },
  ]);
  expect(smtp.letters.at(-1)).toMatchObject({ subject: "Проверка уведомлений" });
  expect(smtp.letters.at(-1)!.text).toContain("https://twins.example/platform-health");
  expect(telegram.sent.at(-1)).toMatchObject({ token: TOKEN, chatId: "-100500" });
});

test("each way says in a sentence what is wrong with it", async () => {
  expect(failureOf(await tried({ smtpUrl: smtp.withPassword("wrong") }), "mail")).toContain("имя и пароль из SMTP_URL");
  smtp.refuses = "recipient";
  telegram.script({ kind: "error", status: 400, description: "Bad Request: chat not found" });
  const refused = await tried();
  expect(failureOf(refused, "mail")).toContain("ALERT_EMAIL");
  expect(failureOf(refused, "telegram")).toContain("ALERT_TELEGRAM_CHAT");
  smtp.refuses = null;
  telegram.script({ kind: "error", status: 403, description: "Forbidden: bot is not a member" });
  expect(failureOf(await tried(), "telegram")).toContain("напишите ему первым");
  telegram.revoked.add(TOKEN);
  expect(failureOf(await tried({ smtpUrl: "smtp://127.0.0.1:9" }), "telegram")).toContain("ALERT_TELEGRAM_TOKEN");
  telegram.revoked.delete(TOKEN);
  const away = await tried({ smtpUrl: "smtp://127.0.0.1:9", telegramApiRoot: "http://127.0.0.1:9" });
  expect(failureOf(away, "mail")).toContain("не отвечает");
  expect(failureOf(away, "telegram")).toBe("Telegram недоступен.");
});
