/** VK's Callback to a public server: the address is registered and confirmed automatically, and only VK's calls are accepted there. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Supervisor, startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { connectTwin, drafted, eventsOf, rowsOf, shown, WAIT } from "#server/test/channels/channel-journey.ts";
import { confirmationOf, startVkServer, type VkServer, vkKey } from "#server/test/servers/vk-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let server: VkServer;
let t: TestApp;
let supervisor: Supervisor;
beforeAll(async () => {
  server = await startVkServer();
  t = await testApp({ vkApiUrl: server.root, publicUrl: "https://twins.example" });
  server.reach = async (url, body) => {
    const answer = await post(new URL(url).pathname, body);
    return { status: answer.statusCode, text: answer.body };
  };
  supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
});
afterAll(async () => {
  await supervisor.stop();
  expect(server.faults).toEqual([]);
  await t.close();
  await server.close();
});

const post = (url: string, payload: object | string) =>
  t.anonymous.inject({ method: "POST", url, payload, headers: { "content-type": "application/json" } });

test("an address is confirmed, and only VK's deliveries of this community are stored, each once, and answered «ok»", async () => {
  const lavka = await connectTwin(t, { platform: "vk", apiKey: vkKey(301) });
  expect(lavka.integration).toMatchObject({ account: "Чайная лавка 301", webhook: null, limitation: null });
  await expect.poll(() => server.callbacks, WAIT).toMatchObject([{ group: 301, status: "ok" }]);
  const [{ url, secret, events }] = server.callbacks as [(typeof server.callbacks)[0]];
  expect(url).toMatch(/^https:\/\/twins\.example\/hooks\/[\w-]{43}$/);
  await expect
    .poll(() => events, WAIT)
    .toMatchObject({
      message_new: "1",
      message_reply: "1",
      message_allow: "1",
      message_deny: "1",
      api_version: "5.199",
    });
  const address = new URL(url).pathname;
  const deliver = (event: object, more: object = { secret }) => post(address, { ...event, ...more });

  const confirmation = { type: "confirmation", group_id: 301 };
  expect((await post(address, confirmation)).body).toBe(confirmationOf(301));
  expect((await post(address, { ...confirmation, group_id: 302 })).statusCode).toBe(401);

  const question = server.say(301, 41, "Сколько стоит доставка?");
  for (const proof of [
    {},
    { secret: "" },
    { secret: `${secret.slice(1)}x` },
    { secret: [secret] },
    { secret, group_id: 302 },
  ]) {
    expect((await deliver(question, proof)).statusCode).toBe(401);
  }
  expect((await post(address, "{")).statusCode).toBe(401);
  expect((await post(`/hooks/${"x".repeat(43)}`, { ...question, secret })).statusCode).toBe(404);
  const odd = { group_id: 301 };
  for (const body of [
    { ...odd, type: "message_new", object: null },
    { ...odd, type: "message_new", object: { message: { peer_id: "41" } } },
    { ...odd, type: "group_join", object: { user_id: 41 } },
    { ...odd, type: "message_deny", object: {} },
  ]) {
    expect((await deliver(body)).body).toBe("ok");
  }
  expect(await eventsOf(t, lavka)).toEqual([]);
  for (const _again of [1, 2, 3]) {
    const taken = await deliver(question);
    expect([taken.statusCode, taken.body, taken.headers["content-type"]]).toEqual([
      200,
      "ok",
      expect.stringMatching(/^text\/plain/),
    ]);
  }
  expect(await eventsOf(t, lavka)).toHaveLength(1);
  const [draft] = await drafted(lavka.ann);
  expect(draft).toMatchObject({ platform: "vk", contactName: "Иван Петров 41", question: "Сколько стоит доставка?" });
  await lavka.ann.put(`/api/approvals/${draft!.id}`, { text: "**Бесплатно** от 1000 ₽" });
  await lavka.ann.post(`/api/approvals/${draft!.id}/approve`);
  await expect
    .poll(() => server.sent.map(({ text }) => text), WAIT)
    .toEqual([expect.stringMatching(/\n\nБесплатно от 1000 ₽$/)]);
  await expect.poll(async () => (await rowsOf(t, lavka))[0]!.state, WAIT).toBe("sent");

  // Simultaneous events share their queries to VK.
  const before = server.lookups;
  const many = Array.from({ length: 30 }, (_, place) => server.say(301, 500 + place, "Привет!"));
  expect((await Promise.all(many.map((event) => deliver(event)))).map(({ body }) => body)).toEqual(
    Array(30).fill("ok"),
  );
  expect(await eventsOf(t, lavka)).toHaveLength(31);
  expect(server.lookups - before).toBeLessThan(10);

  await lavka.ann.delete(`/api/integrations/${lavka.integration.id}`);
  await expect.poll(() => server.callbacks, WAIT).toEqual([]);
  expect((await deliver(question)).statusCode).toBe(404);
});

test("an address that VK could not confirm is announced again until it can", async () => {
  const { reach } = server;
  server.reach = null;
  const lavka = await connectTwin(t, { platform: "vk", apiKey: vkKey(303) });
  await expect.poll(async () => (await shown(lavka)).trouble, WAIT).toMatch(/пока не подтвердил адрес/);
  server.reach = reach;
  await expect
    .poll(() => server.callbacks.filter(({ group }) => group === 303), WAIT)
    .toMatchObject([{ status: "ok" }]);
  await expect.poll(async () => (await shown(lavka)).connection, WAIT).toBe("connected");
});
