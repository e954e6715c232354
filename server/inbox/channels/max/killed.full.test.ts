/**
 * Kills the whole server between a message's receipt and the end of sending its answer. MAX has no key that makes a repeated send harmless.
 * So the conversation is read back, and a message that is not found is unknown. A ledger counts messages and answers.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "#server/test/processes/killable-server.ts";
import { type MaxServer, maxChat, maxToken, startMaxServer } from "#server/test/servers/max-server.ts";

const TOKEN = maxToken(9);
let max: MaxServer;
let server: KillableServer;
beforeAll(async () => {
  max = await startMaxServer();
  server = await startKillableServer({ MAX_API_URL: max.root });
}, SERVER_START_MS);
afterAll(async () => {
  await server?.close();
  await max.close();
});

const LONG = { timeout: 45_000, interval: 100 };

test("after kill -9 nothing is lost and nothing is said twice: what has arrived is found, the rest is unknown or sent", async () => {
  const { call } = server;
  const digitalTwinId = await server.twin();
  const { id } = await call("POST", "/api/integrations/create", { digitalTwinId, platform: "max", apiKey: TOKEN });
  await call("PUT", `/api/integrations/${id}`, { autonomy: "auto" });
  const people = { arrived: 1, lost: 2, waiting: 3, behind: 4 };
  // One answer has arrived without its acknowledgement; one is lost.
  max.fates.await(String(maxChat(people.arrived)), { kind: "hang-after-accept" });
  max.fates.await(String(maxChat(people.lost)), { kind: "hang" });
  const ledger = [max.say(TOKEN, people.arrived, "Привет!"), max.say(TOKEN, people.lost, "Добрый день!")];
  await expect.poll(() => max.sends, LONG).toBe(2);
  ledger.push(max.say(TOKEN, people.waiting, "Здравствуйте!"));
  // The message is stored, because the marker after it was requested; the server waits for the end of the burst.
  await expect.poll(() => max.polls.at(-1), LONG).toBe("4");
  await server.kill();
  // Written while the server is down; delivered messages arrive a second time.
  ledger.push(max.say(TOKEN, people.behind, "Приветствую!"));
  for (const update of ledger) max.push(TOKEN, update);
  await server.start();

  const to = (person: number) => max.sent.filter(({ chat }) => chat === String(maxChat(person))).length;
  await expect.poll(() => to(people.waiting) + to(people.behind), LONG).toBe(2);
  const open = async () => ((await call("GET", "/api/approvals")) as Approval[]).map(({ state }) => state);
  await expect.poll(open, LONG).toEqual(["unknown"]);
  const handled = async () => (await call("GET", `/api/integrations/${id}`)).messagesHandled;
  await expect.poll(handled, LONG).toBe(3);
  expect((await server.stop()).code).toBe(0);

  expect(Object.values(people).map(to)).toEqual([1, 0, 1, 1]);
  const [events] = await server.rows(
    "select count(*)::int as all, count(distinct event_id)::int as once from inbox_events",
  );
  expect(events).toEqual({ all: ledger.length, once: ledger.length });
  const states = await server.rows<{ state: string; ids: number }>(
    "select state, cardinality(external_ids) as ids from outbox order by state, ids",
  );
  expect(states).toEqual([...Array(3).fill({ state: "sent", ids: 1 }), { state: "unknown", ids: 0 }]);
  expect(max.faults).toEqual([]);
}, 240_000);
