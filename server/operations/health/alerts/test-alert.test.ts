/** The button «Проверить уведомления» shows the operator which way of sending alerts fails and why. */
import { expect, test } from "vitest";
import { prepareTestAlert, smtp, TOKEN, telegram, tried } from "#server/test/health/test-alert-bench.ts";

prepareTestAlert();

test("a test reaches the mailbox and the chat", async () => {
  expect(await tried()).toEqual([
    { way: "mail", failure: null },
    { way: "telegram", failure: null },
  ]);
  expect(smtp.letters.at(-1)).toMatchObject({ subject: "Проверка уведомлений" });
  expect(smtp.letters.at(-1)!.text).toContain("https://twins.example/platform-health");
  expect(telegram.sent.at(-1)).toMatchObject({ token: TOKEN, chatId: "-100500" });
});
