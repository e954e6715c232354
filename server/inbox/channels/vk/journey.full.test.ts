import { expect, test } from "vitest";
import { eventsOf, rowsOf, shown, WAIT } from "#server/test/channels/channel-journey.ts";
import { connect, idsOf, prepareVkJourney, sentTo, server, t } from "#server/test/channels/vk-journey-bench.ts";
import { vkKey } from "#server/test/servers/vk-server.ts";

prepareVkJourney();

test("a send arrives once whatever happens to it, and the owner reads the result", async () => {
  const lavka = await connect("auto");
  const { group } = lavka;
  const refused = (code: number) =>
    ({ kind: "refused", status: 200, body: { error: { error_code: code, error_msg: "refused" } } }) as const;
  const fates = {
    "71": [],
    "72": [refused(6)],
    "73": [{ kind: "reset-after-accept" } as const],
    "74": [refused(10), { kind: "reset-after-accept" } as const],
    "75": [refused(10), refused(10), refused(10)],
    "76": [refused(902)],
  };
  for (const [peer, fate] of Object.entries(fates)) server.fates.await(peer, ...fate);
  const said = Object.keys(fates).map((peer) => server.say(group, Number(peer), "Привет!"));
  for (const event of said) server.repeat(event);
  const ended = async () =>
    (await rowsOf(t, lavka)).filter(({ state }) => state !== "pending" && state !== "sending").length;
  await expect.poll(ended, WAIT).toBe(6);
  expect(await eventsOf(t, lavka)).toHaveLength(6);
  const states = (await rowsOf(t, lavka)).map(({ state, reason }) => `${state}: ${reason}`).sort();
  expect(states).toEqual([
    "failed: Собеседник ограничил в настройках, кто может ему писать",
    ...Array(4).fill("sent: null"),
    "unknown: Связь с ВКонтакте прервалась: дошло ли сообщение, неизвестно",
  ]);
  expect(Object.keys(fates).map((peer) => sentTo(Number(peer)).length)).toEqual([1, 1, 1, 1, 0, 0]);
  expect(server.typing).toContain(71);

  server.say(group, 71, "Стоп");
  await expect.poll(async () => (await idsOf(lavka)).length, WAIT).toBe(7);
  server.say(group, 71, "Привет!");
  await expect
    .poll(async () => (await eventsOf(t, lavka)).filter(({ status }) => status === "pending"), WAIT)
    .toEqual([]);
  expect(sentTo(71)).toHaveLength(1);

  server.revoked.add(vkKey(group));
  server.expireKeys();
  await expect.poll(async () => (await shown(lavka)).status, WAIT).toBe("error");
  expect((await shown(lavka)).statusReason).toMatch(/^ВКонтакте не принимает ключ доступа/);
});
