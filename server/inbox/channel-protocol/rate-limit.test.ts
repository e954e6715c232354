import { expect, test } from "vitest";
import { takeRateSlot } from "./rate-limit.ts";

test("a message waits for its account and for its conversation, and places that are free again are forgotten", () => {
  const limit = { perConversationMs: 1000, perSecond: 10 };
  const now = Date.UTC(2024, 0, 1);
  expect(takeRateSlot(limit, "rate-a", "rate-1", now)).toBe(0);
  expect(takeRateSlot(limit, "rate-a", "rate-2", now)).toBe(100);
  expect(takeRateSlot(limit, "rate-a", "rate-2", now + 100)).toBe(0);
  expect(takeRateSlot(limit, "rate-a", "rate-1", now + 250)).toBe(750);
  for (let at = 0; at < 6000; at++) takeRateSlot(limit, `rate-account-${at}`, `rate-conversation-${at}`, now);
  expect(takeRateSlot(limit, "rate-a", "rate-1", now + 1000)).toBe(0);
  expect(takeRateSlot(limit, "rate-b", "rate-1", now + 1500)).toBe(500);
});
