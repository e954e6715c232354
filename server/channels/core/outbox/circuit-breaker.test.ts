import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Integration } from "#contract/integrations/integrations.ts";
import { integrations } from "#server/db/schema.ts";
import { type BotBench, botBench, WAIT } from "#server/test/channels/bot-bench.ts";
import type { SendResult } from "../../protocol/channel.ts";
import { takeTurn } from "../../protocol/rate-limit.ts";
import { FAILURES, healthAfter, type SendHealth } from "./circuit-breaker.ts";

const now = new Date("2026-11-21T12:00:00Z");
type Failure = { kind: "unknown" | "invalid" } | { kind: "retry"; afterMs: number; away?: boolean };
const failed = (failure: Failure): SendResult => ({ externalIds: [], ok: false, message: "…", ...failure });
const well: SendHealth = { sendFailures: 0, sendPausedUntil: null };

test.each<[string, SendResult, number]>([
  ["a time-out counts", failed({ kind: "unknown" }), 1],
  ["no connection counts", failed({ kind: "retry", afterMs: 1, away: true }), 1],
  ["a 429 does not", failed({ kind: "retry", afterMs: 1 }), 0],
  ["a refused message does not", failed({ kind: "invalid" }), 0],
  ["a delivery does not", { ok: true, externalIds: ["1"] }, 0],
])("%s", (_name, result, failures) => {
  expect(healthAfter(well, result, now).sendFailures).toBe(failures);
});

test("each failure in a row lengthens the pause up to a quarter of an hour, and a delivery ends it", () => {
  const pauses: number[] = [];
  let health = well;
  for (let count = 0; count < 16; count++) {
    health = healthAfter(health, failed({ kind: "unknown" }), now);
    pauses.push(((health.sendPausedUntil ?? now).getTime() - now.getTime()) / 1000);
  }
  expect(pauses.slice(0, 6)).toEqual([0, 0, 5, 10, 20, 40]);
  expect(pauses.at(-1)).toBe(900);
  expect(healthAfter(health, { ok: true, externalIds: [] }, now)).toEqual(well);
});

test("a chat gets one message a second, an account thirty", () => {
  const rateLimit = { perConversationMs: 1000, perSecond: 30 };
  expect([
    takeTurn(rateLimit, "a", "x", 0),
    takeTurn(rateLimit, "a", "x", 40),
    takeTurn(rateLimit, "a", "x", 1000),
  ]).toEqual([0, 960, 0]);
  let went = 0;
  for (let at = 0; at < 1000; at++) went += takeTurn(rateLimit, "b", `chat ${at}`, at) === 0 ? 1 : 0;
  expect(went).toBeGreaterThan(27);
  expect(went).toBeLessThanOrEqual(30);
});

let bench: BotBench;
beforeAll(async () => {
  bench = await botBench();
});
afterAll(() => bench.close());

test("sending to a failing platform pauses, then one message probes it; the rest follow, and nothing is sent twice", async () => {
  const { t, telegram, connect, outboxOf, sentTo } = bench;
  const bot = await connect("auto");
  const path = `/api/integrations/${bot.integration.id}`;
  const shown = async (): Promise<Integration> => (await bot.owner.get(path)).json();
  const states = async () => (await outboxOf(bot)).map(({ state }) => state).sort();
  telegram.script(...Array.from({ length: FAILURES + 1 }, () => ({ kind: "error", status: 500 }) as const));
  const write = (count: number) => {
    const people = Array.from({ length: count }, () => bench.person());
    for (const person of people) telegram.say(bot.token, person, "Привет!");
    return people;
  };
  write(FAILURES);
  await expect.poll(states, WAIT).toEqual(Array(FAILURES).fill("unknown"));
  expect(await shown()).toMatchObject({
    connection: "trouble",
    trouble: expect.stringMatching(/^Платформа не отвечает/),
  });
  const until = (pause: number) =>
    t.services.db
      .update(integrations)
      .set({ sendPausedUntil: new Date(Date.now() + pause) })
      .where(eq(integrations.id, bot.integration.id));
  // However slow this machine is, the pause is not over yet.
  await until(3600_000);
  const later = write(4);
  await expect.poll(async () => (await states()).length, WAIT).toBe(FAILURES + 4);
  await t.jobsIdle();
  expect(telegram.sends).toBe(FAILURES);
  const due = () =>
    t.services.db.execute(`update outbox set next_attempt_at = now() where integration_id = '${bot.integration.id}'
      and state = 'pending'`);
  // The pause is over: one tries and fails, the others go on waiting.
  await until(0);
  await due();
  await expect.poll(() => telegram.sends, WAIT).toBe(FAILURES + 1);
  await t.jobsIdle();
  expect((await states()).filter((state) => state === "pending")).toHaveLength(3);
  await until(0);
  await due();
  await expect.poll(() => later.filter((person) => sentTo(person).length === 1).length, WAIT).toBe(3);
  expect(await shown()).toMatchObject({ connection: "connected", trouble: null });
  expect(telegram.sends).toBe(FAILURES + 1 + 3);
  const log = (await bot.owner.get(`${path}/events`)).json().map(({ text }: { text: string }) => text);
  expect(log).toContain("Отправка снова работает");
});
