/**
 * Kills the whole server between a message's arrival and its answer, by Long Poll. Each message is stored once and each answer arrives
 * once, even if VK accepted it without our knowing. The ledger lists people's messages and the answers that they got.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "#server/test/processes/killable-server.ts";
import { startVkServer, type VkServer, vkKey } from "#server/test/servers/vk-server.ts";

const GROUP = 401;
/** Sends of a killed run are enqueued again at most a minute after they began. */
const SETTLED = { timeout: 120_000, interval: 250 };
let vk: VkServer;
let server: KillableServer;
beforeAll(async () => {
  vk = await startVkServer();
  server = await startKillableServer({ VK_API_URL: vk.root });
}, SERVER_START_MS);
afterAll(async () => {
  await server?.close();
  expect(vk.faults).toEqual([]);
  await vk.close();
});

test("after kill -9 in the middle of a send each person who wrote has one answer", async () => {
  const { call } = server;
  const digitalTwinId = await server.twin();
  const fields = { digitalTwinId, platform: "vk", apiKey: vkKey(GROUP) };
  const { id } = await call("POST", "/api/integrations/create", fields);
  await call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });
  await expect.poll(() => vk.opened.get(GROUP) ?? 0, SETTLED).toBeGreaterThan(0);

  const people = [81, 82, 83, 84, 85, 86, 87, 88];
  // VK's response to the first two is lost: one message has arrived by then, the other has not.
  vk.fates.await("81", { kind: "hang-after-accept" });
  vk.fates.await("82", { kind: "hang" });
  for (const person of people) {
    const event = vk.say(GROUP, person, "Привет!");
    vk.repeat(event);
  }
  await expect.poll(() => vk.sends, SETTLED).toBeGreaterThanOrEqual(4);
  await server.kill();
  // Written while the server is down.
  vk.say(GROUP, 89, "Привет!");
  await server.start();

  const ledger = [...people, 89];
  const answersTo = (person: number) => vk.sent.filter(({ peer }) => peer === person).length;
  await expect.poll(() => ledger.filter((person) => answersTo(person) === 0), SETTLED).toEqual([]);
  const handled = async () => (await call("GET", `/api/integrations/${id}`)).messagesHandled;
  await expect.poll(handled, SETTLED).toBe(ledger.length);
  expect(ledger.map(answersTo)).toEqual(ledger.map(() => 1));
  expect(await call("GET", "/api/approvals")).toEqual([]);
  expect((await server.stop()).code).toBe(0);
  const [stored] = await server.rows(
    "select count(*)::int as events, count(distinct event_id)::int as once from inbox_events",
  );
  expect(stored).toEqual({ events: ledger.length, once: ledger.length });
  const states = await server.rows<{ state: string; attempts: number }>("select state, attempts from outbox");
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["sent"]));
  // Interrupted sends were repeated.
  expect(states.filter(({ attempts }) => attempts > 1).length).toBeGreaterThanOrEqual(2);
}, 240_000);
