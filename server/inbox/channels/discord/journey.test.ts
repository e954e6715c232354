/** End-to-end tests of a Discord bot against a local REST server and gateway. */
import { expect, test } from "vitest";
import { approvals, connectTwin, eventsOf, shown, WAIT } from "#server/test/channels/channel-journey.ts";
import { prepareDiscordJourney, sentTo, server, supervisor, t } from "#server/test/channels/discord-journey-bench.ts";

prepareDiscordJourney();

test("direct messages are drafted once through dropped connections and new sessions, and approved answers are delivered", async () => {
  server.contentDenied = true;
  const bot = await connectTwin(t, { platform: "discord", apiKey: "good.draft.key" });
  expect(bot.integration).toMatchObject({ account: "twin_bot", webhook: null });
  await expect.poll(() => server.identified, WAIT).toBe(1);
  server.contentDenied = false;
  server.say("100", "на сервере", { guild_id: "7" });
  server.say("100", "я бот", { author: { id: "5", username: "bot", discriminator: "0", avatar: null, bot: true } });
  const first = server.say("100", "Сколько стоит доставка, <@1>?", { mentions: [{ id: "1", username: "twin_bot" }] });
  server.repeat(first);
  await expect.poll(async () => (await eventsOf(t, bot)).length, WAIT).toBe(1);

  // A message written while the connection was down is replayed with the session.
  server.drop(1001);
  const second = server.say("100", "И возврат?");
  await expect.poll(async () => (await eventsOf(t, bot)).length, WAIT).toBe(2);
  expect(server).toMatchObject({ identified: 1, resumed: 1 });
  // The session is lost as well, so the message is fetched.
  server.forget();
  server.drop(1001);
  server.say("100", "Здравствуйте!");
  await expect.poll(async () => (await eventsOf(t, bot)).length, WAIT).toBe(3);
  expect(server).toMatchObject({ identified: 2, resumed: 1 });
  server.repeat(second);

  const questions = async () => (await approvals(bot.ann)).map(({ question }) => question).join("\n");
  await expect.poll(questions, WAIT).toContain("Здравствуйте!");
  expect(await questions()).toContain("Сколько стоит доставка, @twin_bot?");
  const [draft] = await approvals(bot.ann);
  await bot.ann.put(`/api/approvals/${draft!.id}`, { text: "**Бесплатно**, @everyone" });
  await bot.ann.post(`/api/approvals/${draft!.id}/approve`);
  await expect
    .poll(() => sentTo("100"), WAIT)
    .toMatchObject([{ content: expect.stringMatching(/\n\n\*\*Бесплатно\*\*, @everyone$/), allowed: { parse: [] } }]);
  await bot.ann.delete(`/api/integrations/${bot.integration.id}`);
  await supervisor.look();
});

test("an edit and a deletion come over the gateway, and a malformed event delays no message", async () => {
  const { identified } = server;
  const bot = await connectTwin(t, { platform: "discord", apiKey: "good.edits.key" });
  await expect.poll(() => server.identified, WAIT).toBe(identified + 1);
  const asked = server.say("200", "Сколько стоит доставка?");
  const questions = async () => (await approvals(bot.ann)).map(({ question }) => question);
  await expect.poll(questions, WAIT).toEqual(["Сколько стоит доставка?"]);
  server.edit(asked, "Сколько стоит возврат?");
  await expect.poll(questions, WAIT).toEqual(["Сколько стоит возврат?"]);
  server.repeat({ id: "", channel_id: "", content: "Кто я?" });
  server.remove(asked);
  await expect.poll(questions, WAIT).toEqual([]);
  expect(await shown(bot)).toMatchObject({ setAside: 1, trouble: null });
});
