import { expect, test } from "vitest";
import type { SendResult } from "#server/inbox/channel-protocol/channel.ts";
import { takeRateSlot } from "#server/inbox/channel-protocol/rate-limit.ts";
import { healthAfter, type SendHealth } from "./circuit-breaker.ts";

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
    takeRateSlot(rateLimit, "a", "x", 0),
    takeRateSlot(rateLimit, "a", "x", 40),
    takeRateSlot(rateLimit, "a", "x", 1000),
  ]).toEqual([0, 960, 0]);
  let went = 0;
  for (let at = 0; at < 1000; at++) went += takeRateSlot(rateLimit, "b", `chat ${at}`, at) === 0 ? 1 : 0;
  expect(went).toBeGreaterThan(27);
  expect(went).toBeLessThanOrEqual(30);
});
