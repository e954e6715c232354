import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { WAIT } from "#server/test/channels/bot-bench.ts";
import { bench, prepareOwnerControl } from "#server/test/channels/owner-control-bench.ts";

prepareOwnerControl();

test("no send begins after the stop was answered, whatever the moment", async () => {
  const { telegram, connect, outboxOf } = bench;
  const bot = await connect("auto");
  const people = Array.from({ length: 8 }, () => bench.person());
  for (const person of people) telegram.say(bot.token, person, "Привет!");
  await expect.poll(() => people.filter((person) => bench.sentTo(person).length > 0).length, WAIT).toBeGreaterThan(1);
  await bot.owner.put("/api/stop-switch", { stopped: true });
  const begun = (await outboxOf(bot)).filter(({ state }) => state === "sending" || state === "sent").length;
  await bench.handled(bot, people.length);
  await bench.t.jobsIdle();
  expect(people.flatMap((person) => bench.sentTo(person))).toHaveLength(begun);
});

test("outside working hours answers wait, or the contact gets one away message until the next opening", async () => {
  const { t, telegram, connect, drafted, handled, sentTo, outboxOf } = bench;
  const bot = await connect("auto");
  const { owner, token, ivan, integration } = bot;
  const day = (new Date().getUTCDay() + 3) % 7 || 7;
  const hours = { timeZone: "UTC", slots: [{ day, from: "09:00", to: "18:00" }], awayText: "Ответим в четверг." };
  const work = async (outside: string) => {
    const workingHours = { ...hours, outside };
    const set = await owner.put(`/api/integrations/${integration.id}`, { workingHours });
    expect(set.json().workingHours).toEqual(workingHours);
  };
  await work("away");
  telegram.say(token, ivan, "Привет!");
  await expect.poll(() => sentTo(ivan), WAIT).toEqual([expect.stringMatching(/Ответим в четверг\.$/)]);
  telegram.say(token, ivan, "Вы тут?");
  await handled(bot, 2);
  await t.jobsIdle();
  expect(sentTo(ivan)).toHaveLength(1);
  // The away message was sent before the present closing time.
  const long = new Date(Date.now() - 8 * 86_400_000);
  await t.services.db
    .update(conversations)
    .set({ awayToldAt: long })
    .where(eq(conversations.integrationId, integration.id));
  telegram.say(token, ivan, "Ау!");
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(2);
  await work("draft");
  telegram.say(token, ivan, "Привет!");
  expect((await drafted(owner))[0]).toMatchObject({ reason: "Вне рабочих часов" });
  await work("silent");
  telegram.say(token, ivan, "Привет!");
  await handled(bot, 5);
  expect(await outboxOf(bot)).toHaveLength(3);
  await owner.put(`/api/integrations/${integration.id}`, { workingHours: null });
  telegram.say(token, ivan, "Привет!");
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(3);
});
