/** Another process connects with the new key after the former process's lease has expired. */
import { expect, test } from "vitest";
import { startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { WAIT } from "#server/test/channels/bot-bench.ts";
import {
  bench,
  nextToken,
  prepareReplacedCredentials,
  replace,
} from "#server/test/integrations/replace-credentials-bench.ts";

prepareReplacedCredentials();

test("a paused integration takes a new key and stays paused; the process that takes it over later connects with it", async () => {
  const bot = await bench.connect();
  await bot.owner.put(`/api/integrations/${bot.integration.id}`, { status: "inactive" });
  expect((await replace(bot, nextToken(bot))).json().connection).toBe("paused");
  await bench.supervisor.stop();
  const another = startSupervisor(bench.t.services, { everyMs: 150, backoffMs: 50 });
  try {
    await bot.owner.put(`/api/integrations/${bot.integration.id}`, { status: "active" });
    await expect.poll(() => bench.telegram.polls.includes(nextToken(bot)), WAIT).toBe(true);
  } finally {
    await another.stop();
  }
});
