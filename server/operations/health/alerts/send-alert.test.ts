/** Each way of sending an alert says in a sentence what is wrong with it. */
import { expect, test } from "vitest";
import { createMailer } from "#server/accounts/mail/mail.ts";
import { type Config, readConfig } from "#server/platform/config.ts";
import { createLog } from "#server/platform/log.ts";
import { prepareTestAlert, smtp, TOKEN, telegram } from "#server/test/health/test-alert-bench.ts";
import { testMessage } from "./message.ts";
import { sendAlert } from "./send-alert.ts";

prepareTestAlert();

const logged: string[] = [];

async function failuresOf(changes: Partial<Config> = {}): Promise<Record<string, string | null>> {
  const config: Config = {
    ...readConfig({ NODE_ENV: "test", MAIL_FROM: "Двойники <no-reply@twins.example>" }),
    ...{ smtpUrl: smtp.url, telegramApiRoot: telegram.root },
    alerts: { email: "chief@example.test", telegram: { token: TOKEN, chat: "-100500" } },
    ...changes,
  };
  const log = createLog("warn", { write: (line: string) => void logged.push(line) });
  const sent = await sendAlert(
    { config, mailer: createMailer(config, log), log },
    testMessage("https://twins.example"),
  );
  return Object.fromEntries(sent.map(({ way, failure }) => [way, failure]));
}

test("a refused password, address or letter, and a server that is away, are told apart", async () => {
  expect((await failuresOf({ smtpUrl: smtp.withPassword("wrong") })).mail).toContain("имя и пароль из SMTP_URL");
  smtp.refuses = "recipient";
  expect((await failuresOf()).mail).toContain("ALERT_EMAIL");
  smtp.refuses = null;
  expect((await failuresOf({ smtpUrl: "smtp://127.0.0.1:9" })).mail).toContain("не отвечает");
  expect((await failuresOf()).mail).toBeNull();
});

test("a chat that is not found, a bot that may not write, a revoked token and Telegram away are told apart", async () => {
  telegram.script({ kind: "error", status: 400, description: "Bad Request: chat not found" });
  expect((await failuresOf()).telegram).toContain("ALERT_TELEGRAM_CHAT");
  telegram.script({ kind: "error", status: 403, description: "Forbidden: bot is not a member" });
  expect((await failuresOf()).telegram).toContain("напишите ему первым");
  telegram.revoked.add(TOKEN);
  expect((await failuresOf()).telegram).toContain("ALERT_TELEGRAM_TOKEN");
  telegram.revoked.delete(TOKEN);
  expect((await failuresOf({ telegramApiRoot: "http://127.0.0.1:9" })).telegram).toBe("Telegram недоступен.");
  expect(logged.join()).toContain("an alert was not sent");
  expect(logged.join()).not.toContain(TOKEN);
});

test("no way in the settings sends nothing", async () => {
  expect(await failuresOf({ alerts: { email: null, telegram: null } })).toEqual({});
});
