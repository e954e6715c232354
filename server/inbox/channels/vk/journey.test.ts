/** End-to-end tests of a VK community against a local VK, by Long Poll. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  approvals,
  connectTwin,
  drafted,
  listedConversations,
  refusedConnection,
  rowsOf,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import {
  connect,
  idsOf,
  prepareVkJourney,
  sentTo,
  server,
  setSupervisor,
  start,
  supervisor,
  t,
} from "#server/test/channels/vk-journey-bench.ts";
import { vkKey } from "#server/test/servers/vk-server.ts";

prepareVkJourney();

test("messages are drafted once through lost keys, lost events and lost sessions, and approved answers are delivered", async () => {
  holdBursts();
  const lavka = await connect();
  const { ann, group } = lavka;
  expect(lavka.integration).toMatchObject({ account: `Чайная лавка ${group}`, webhook: null });
  server.say(group, 2_000_000_001, "в беседе", { from_id: 51 });
  const first = server.say(group, 51, "Здравствуйте!");
  server.repeat(first);
  await expect.poll(() => idsOf(lavka), WAIT).toEqual(["51:1"]);

  // The key has expired, but the position in the queue is still valid.
  server.expireKeys();
  server.say(group, 51, "Сколько стоит доставка?");
  await expect.poll(() => idsOf(lavka), WAIT).toEqual(["51:1", "51:2"]);

  // While the server is down, the queue loses its events, then its sessions, so the messages are fetched.
  for (const what of ["events", "session"] as const) {
    const opened = server.opened.get(group)!;
    await supervisor.stop();
    server.say(group, 52, `Пока никто не слушал: ${what}`);
    server.forget(group, what);
    setSupervisor(start());
    await expect.poll(() => server.opened.get(group), WAIT).toBeGreaterThan(opened);
    await expect.poll(() => idsOf(lavka), WAIT).toContain(what === "events" ? "52:1" : "52:2");
  }
  expect(await idsOf(lavka)).toEqual(["51:1", "51:2", "52:1", "52:2"]);

  const waiting = await drafted(ann, 2);
  const draft = waiting.find(({ contactName }) => contactName === "Иван Петров 51")!;
  expect(draft.question).toBe("Здравствуйте!\nСколько стоит доставка?");
  await ann.put(`/api/approvals/${draft.id}`, { text: "Бесплатно" });
  await ann.post(`/api/approvals/${draft.id}/approve`);
  await expect.poll(() => sentTo(51), WAIT).toEqual([expect.stringMatching(/\n\nБесплатно$/)]);
  await expect
    .poll(async () => (await rowsOf(t, lavka)).map(({ state }) => state).sort(), WAIT)
    .toEqual(["draft", "sent"]);
  // VK echoes the community's own message. No manager wrote it, so the twin continues.
  server.say(group, 51, "Спасибо! А самовывоз есть?");
  await expect.poll(() => approvals(ann), WAIT).toHaveLength(2);
});

test("what was written in the minute before the first look is taken, what is older is history", async () => {
  const group = 900;
  const ago = (seconds: number) => ({ date: Math.floor(Date.now() / 1000) - seconds });
  server.say(group, 71, "Это было раньше", ago(300));
  server.say(group, 72, "Сколько стоит доставка?", ago(5));
  const lavka = await connectTwin(t, { platform: "vk", apiKey: vkKey(group) });
  await expect.poll(() => idsOf({ ...lavka, group }), WAIT).toEqual(["72:1"]);
});

test("a manager who answers in VK takes the conversation over, and who forbids messages gets none until he allows them", async () => {
  const lavka = await connect();
  const { ann, group } = lavka;
  server.say(group, 61, "Вы тут?");
  await drafted(ann);
  const byHand = server.answerByHand(group, 61, "Я сам отвечу");
  server.repeat(byHand);
  await expect.poll(() => approvals(ann), WAIT).toEqual([]);
  const [talk] = await listedConversations(ann);
  await expect.poll(() => transcript(ann, talk!.id), WAIT).toHaveLength(2);
  expect((await transcript(ann, talk!.id)).at(-1)).toMatchObject({ author: "owner", content: "Я сам отвечу" });
  expect(talk).toMatchObject({ lead: "me" });

  const { sends } = server;
  const write = (text: string) => ann.post(`/api/conversations/${talk!.id}/messages`, { text });
  server.deny(group, 61);
  await expect
    .poll(async () => {
      const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, lavka.integration.id));
      return row!.cursor;
    }, WAIT)
    .toMatchObject({ ts: "4" });
  expect((await write("Ещё вопрос")).statusCode).toBeLessThan(300);
  await expect
    .poll(async () => (await rowsOf(t, lavka)).at(-1), WAIT)
    .toMatchObject({
      state: "failed",
      reason: "Собеседник запретил сообществу писать ему во ВКонтакте",
    });
  expect(server.sends).toBe(sends);
  server.allow(group, 61);
  server.say(group, 61, "Теперь можно");
  await expect.poll(async () => (await idsOf(lavka)).length, WAIT).toBe(3);
  expect((await write("Спасибо")).statusCode).toBeLessThan(300);
  await expect.poll(() => sentTo(61), WAIT).toEqual(["Спасибо"]);
});

test("outside working hours the answer of an automatic twin is a draft", async () => {
  const lavka = await connect("auto");
  const day = ((new Date().getUTCDay() + 2) % 7) + 1;
  const workingHours = {
    timeZone: "Europe/Moscow",
    slots: [{ day, from: "03:00", to: "03:30" }],
    outside: "draft",
    awayText: "",
  };
  const set = await lavka.ann.put(`/api/integrations/${lavka.integration.id}`, { workingHours });
  expect(set.statusCode, set.body).toBe(200);
  await expect.poll(() => server.opened.get(lavka.group), WAIT).toBe(2);
  server.say(lavka.group, 78, "Привет!");
  expect(await drafted(lavka.ann)).toMatchObject([{ platform: "vk", state: "draft" }]);
  expect(sentTo(78)).toEqual([]);
});

test("a refused key, a person's key and a key that lacks a right are reported at once", async () => {
  const refused = (apiKey: string) => refusedConnection(t, { platform: "vk", apiKey });
  server.revoked.add(vkKey(9));
  expect(await refused(vkKey(9))).toEqual([422, expect.stringContaining("не принимает ключ")]);
  expect(await refused(vkKey(10, "nomanage"))).toEqual([422, expect.stringContaining("«Управление сообществом»")]);
  expect(await refused(vkKey(11, "person"))).toEqual([422, expect.stringContaining("не сообщества")]);
  expect(await refused("короткий")).toEqual([400, expect.any(String)]);
});
