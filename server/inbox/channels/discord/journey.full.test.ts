import { expect, test } from "vitest";
import { connectTwin, refusedConnection, rowsOf, shown, WAIT } from "#server/test/channels/channel-journey.ts";
import { prepareDiscordJourney, sentTo, server, t } from "#server/test/channels/discord-journey-bench.ts";
import { discord } from "./discord.ts";

prepareDiscordJourney();

test("a broken send is repeated under its nonce and arrives once; the owner reads the result of the others", async () => {
  const bot = await connectTwin(t, { platform: "discord", apiKey: "good.auto.key" }, "auto");
  const fault = { kind: "refused", status: 500, body: {} } as const;
  const refused = (status: number, body: object) => ({ kind: "refused", status, body }) as const;
  const fates = {
    "201": [],
    "202": [refused(429, { message: "slow down", retry_after: 0.3, global: false })],
    "203": [{ kind: "reset-after-accept" } as const],
    "204": [fault],
    "205": [fault, fault, fault],
    "206": [refused(403, { message: "Cannot send messages to this user", code: 50007 })],
  };
  await expect.poll(() => server.identified, WAIT).toBe(1);
  for (const [channel, fate] of Object.entries(fates)) server.fates.await(channel, ...fate);
  const said = Object.keys(fates).map((channel) => server.say(channel, "Привет!"));
  for (const message of said) server.repeat(message);
  const ended = async () =>
    (await rowsOf(t, bot)).filter(({ state }) => state !== "pending" && state !== "sending").length;
  await expect.poll(ended, WAIT).toBe(6);
  const states = (await rowsOf(t, bot)).map(({ state, reason }) => `${state}: ${reason}`).sort();
  expect(states).toEqual([
    "failed: Собеседник не принимает сообщения бота",
    ...Array(4).fill("sent: null"),
    "unknown: Связь с Discord прервалась: дошло ли сообщение, неизвестно",
  ]);
  expect(Object.keys(fates).map((channel) => sentTo(channel).length)).toEqual([1, 1, 1, 1, 0, 0]);
  expect(server.typing).toContain("201");

  server.revoked.add("good.auto.key");
  server.drop(4004);
  await expect.poll(async () => (await shown(bot)).status, WAIT).toBe("error");
  expect((await shown(bot)).statusReason).toMatch(/^Discord не принимает ключ бота/);
});

test("a refused token is reported at once; a hanging Discord is tried three times and does not count as a refusal", async () => {
  expect(await refusedConnection(t, { platform: "discord", apiKey: "of.another.bot" })).toEqual([
    422,
    "Discord не принимает ключ бота. Скопируйте новый в Developer Portal.",
  ]);
  const out = { key: "k", conversation: "300", context: {}, lastInboundAt: null, text: "Да", delivered: 0 };
  server.fates.await("300", ...Array(3).fill({ kind: "hang" }));
  const bot = discord({ token: "good.1", apiUrl: server.root, sendMs: 100 });
  expect(await bot.send(out)).toMatchObject({ ok: false, kind: "unknown" });
});
