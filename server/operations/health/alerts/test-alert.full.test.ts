import { expect, test } from "vitest";
import type { AlertTest } from "#contract/health.ts";
import { prepareTestAlert, smtp, TOKEN, telegram, tried } from "#server/test/health/test-alert-bench.ts";

prepareTestAlert();

const failureOf = (tests: AlertTest[], way: AlertTest["way"]) => tests.find((each) => each.way === way)!.failure;

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
