import { expect, onTestFinished, test } from "vitest";
import { connectTwin, WAIT } from "#server/test/channels/channel-journey.ts";
import { startTelegramServer } from "#server/test/servers/telegram-server.ts";
import { testApp } from "#server/test/test-app.ts";
import { startSupervisor } from "./supervisor.ts";

test("a process that can no longer renew its lease stops receiving, because another one will take over", async () => {
  const telegram = await startTelegramServer();
  onTestFinished(() => telegram.close());
  const t = await testApp({ telegramApiRoot: telegram.root });
  onTestFinished(() => t.close());
  let away = false;
  const db = new Proxy(t.services.db, {
    get(target, name) {
      if (away) throw new Error("The database is away");
      return Reflect.get(target, name);
    },
  });
  const supervisor = startSupervisor({ ...t.services, db }, { everyMs: 100, leaseMs: 1000, backoffMs: 50 });
  onTestFinished(() => {
    away = false;
    return supervisor.stop();
  });
  await connectTwin(t, { platform: "telegram", apiKey: "900:token-of-a-bot-0123456789abcdefghij" });
  await expect.poll(() => telegram.waiting, WAIT).toBe(1);
  away = true;
  // Telegram itself would hold the poll open for longer than this.
  await expect.poll(() => telegram.waiting, { ...WAIT, timeout: 10_000 }).toBe(0);
});
