/**
 * A ledger of acts under kills: customers confirm bookings while the server is killed again and again; each call that the owner's system
 * has received is followed to its row. KILLS and ROUND make it longer.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Act } from "#contract/actions/acts.ts";
import type { Reply } from "#contract/conversations/conversations.ts";
import { LOST_AFTER_MS } from "#server/answers/tools/ledger.ts";
import { bookingTool } from "#server/test/actions/actions-bench.ts";
import { callRecord, type ProposingModel, startProposingModel } from "#server/test/actions/proposing-model.ts";
import { type KillableServer, SERVER_START_MS, startKillableServer } from "#server/test/processes/killable-server.ts";

const KILLS = Number(process.env.KILLS ?? 4);
/** Acts between two kills. */
const ROUND = Number(process.env.ROUND ?? 12);
/** Acts of a round that are done before the kill. */
const DONE = Math.floor(ROUND / 4);
/** Milliseconds that the owner's system takes, so that a kill meets many calls under way. */
const BOOKING_MS = 700;

let model: ProposingModel;
let server: KillableServer;
/** Keys of the calls that the owner's system has received, and of those that it has answered. */
const received: string[] = [];
const shop = createServer((request, response) => {
  received.push(String(request.headers["idempotency-key"]));
  request.resume();
  setTimeout(() => response.end(JSON.stringify({ number: received.length })), BOOKING_MS);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  model = await startProposingModel();
  model.obeys(() => callRecord("zapis_na_obzharku", { date: "2027-03-05", time: "15:00" }));
  // As a test's server it may ask this machine.
  server = await startKillableServer({ NODE_ENV: "test", LLM_BASE_URL: model.baseUrl, LLM_MODEL: "m" });
}, SERVER_START_MS);
afterAll(async () => {
  await server?.close();
  await model?.close();
  shop.closeAllConnections();
  shop.close();
});

test(
  `no act is called twice and none is lost when the process is killed ${KILLS} times`,
  async () => {
    const { call } = server;
    const twinId = await server.twin();
    const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    await call("POST", "/api/tools", { twinId, tool: bookingTool(origin) });
    /** Ids of acts whose customer has read «готово». */
    const acknowledged: string[] = [];
    const confirm = async (conversationId: string) => {
      const asked = { twinId, conversationId, message: "да", live: true };
      const reply = (await call("POST", "/api/ai-generate", asked).catch(() => null)) as Reply | null;
      const [made] = reply?.calls ?? [];
      if (made?.outcome === "done") acknowledged.push(made.actId!);
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const talks: string[] = [];
      for (let at = 0; at < ROUND; at++) {
        const message = "Запишите меня на 5 марта 2027 на 15:00";
        const { conversationId, response }: Reply = await call("POST", "/api/ai-generate", { twinId, message });
        expect(response).toContain("Всё верно?");
        talks.push(conversationId);
      }
      const before = received.length;
      // Some are done before the kill, and it meets the others while they are called.
      await Promise.all(talks.slice(0, DONE).map(confirm));
      const under = talks.slice(DONE).map(confirm);
      await expect.poll(() => received.length, { timeout: 30_000 }).toBeGreaterThan(before + DONE);
      await server.kill();
      await Promise.all(under);
      await server.start();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * DONE);
    // A call whose process died counts as lost by the server's own clock, which a test cannot move.
    await pause(LOST_AFTER_MS + 1000);

    const acts: Act[] = [];
    for (let before = ""; ; before = `?before=${acts.at(-1)!.cursor}`) {
      const page: Act[] = await call("GET", `/api/acts${before}`);
      acts.push(...page);
      if (page.length < 50) break;
    }
    expect(acts).toHaveLength(KILLS * ROUND);
    const states = Map.groupBy(acts, ({ state }) => state);
    const counts = [...states].map(([state, { length }]) => `${length} ${state}`).join(", ");
    process.stdout.write(`${KILLS} kills: ${acts.length} acts, ${received.length} calls, ${counts}\n`);
    // Nobody called twice, and each call has its row: done, or unknown for the owner to look.
    expect(new Set(received).size).toBe(received.length);
    const byId = new Map(acts.map((act) => [act.id, act]));
    for (const id of received) expect(["done", "unknown"]).toContain(byId.get(id)?.state);
    for (const id of acknowledged) expect(byId.get(id)?.state).toBe("done");
    expect(states.get("unknown")?.length ?? 0).toBeGreaterThan(0);
    expect(states.get("calling")).toBeUndefined();

    // What is unknown is called no more, even if its owner asks for it.
    const calls = received.length;
    for (const { id } of states.get("unknown")!)
      await expect(call("POST", `/api/acts/${id}/approve`)).rejects.toThrow("409");
    expect(received.length).toBe(calls);
  },
  KILLS * 120_000 + LOST_AFTER_MS + 120_000,
);
