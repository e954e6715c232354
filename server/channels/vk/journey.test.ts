/** Whole journeys of a VK community against a local VK, by Long Poll. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { integrations } from "#server/db/schema.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  approvals,
  connectTwin,
  drafted,
  eventsOf,
  listedConversations,
  refusedConnection,
  rowsOf,
  shown,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { startVkServer, type VkServer, vkKey } from "#server/test/servers/vk-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { type Supervisor, startSupervisor } from "../receiving/supervisor.ts";

let server: VkServer;
let t: TestApp;
let supervisor: Supervisor;
const start = () => startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
beforeAll(async () => {
  server = await startVkServer();
  t = await testApp({ vkApiUrl: server.root });
  supervisor = start();
});
afterAll(async () => {
  await supervisor.stop();
  expect(server.faults).toEqual([]);
  await t.close();
  await server.close();
});

let communities = 100;
async function connect(autonomy: "draft" | "auto" = "draft") {
  const group = ++communities;
  const lavka = await connectTwin(t, { platform: "vk", apiKey: vkKey(group) }, autonomy);
  await expect.poll(() => server.opened.get(group) ?? 0, WAIT).toBeGreaterThan(0);
  await expect.poll(async () => (await shown(lavka)).connection, WAIT).toBe("connected");
  return { ...lavka, group };
}
type Lavka = Awaited<ReturnType<typeof connect>>;

const sentTo = (peer: number) => server.sent.filter((message) => message.peer === peer).map(({ text }) => text);
const idsOf = async (lavka: Lavka) => (await eventsOf(t, lavka)).map(({ eventId }) => eventId);

test("messages are drafted once through lost keys, lost events and lost sessions, and approved answers are delivered", async () => {
  holdBursts();
  const lavka = await connect();
  const { ann, group } = lavka;
  expect(lavka.integration).toMatchObject({ account: `Чайная лавка ${group}`, webhook: null });
  server.say(group, 2_000_000_001, "в беседе", { from_id: 51 });
  const first = server.say(group, 51, "Здравствуйте!");
  server.repeat(first);
  await expect.poll(() => idsOf(lavka), WAIT).toEqual(["51:1"]);

  // The key has run out: the place in the queue stays.
  server.expireKeys();
  server.say(group, 51, "Сколько стоит доставка?");
  await expect.poll(() => idsOf(lavka), WAIT).toEqual(["51:1", "51:2"]);

  // While nobody listens the queue loses its events, then its sessions: the messages are fetched.
  for (const what of ["events", "session"] as const) {
    const opened = server.opened.get(group)!;
    await supervisor.stop();
    server.say(group, 52, `Пока никто не слушал: ${what}`);
    server.forget(group, what);
    supervisor = start();
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
  // VK tells the community of its own message: it is no manager's, so the twin goes on.
  server.say(group, 51, "Спасибо! А самовывоз есть?");
  await expect.poll(() => approvals(ann), WAIT).toHaveLength(2);
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

test("outside working hours the answer of a twin that answers by itself is a draft", async () => {
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
