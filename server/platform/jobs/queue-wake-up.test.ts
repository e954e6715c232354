import { afterEach, expect, test, vi } from "vitest";
import { QueueWakeUp } from "./queue-wake-up.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a queue is looked at immediately, once more after several calls in a moment, and later when others may look first", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const look = vi.fn();
  const wakeUp = new QueueWakeUp(look);
  wakeUp.wake("mail");
  wakeUp.wake("mail");
  wakeUp.wake("mail");
  expect(look).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(look).toHaveBeenCalledTimes(2);
  wakeUp.standAside("mail", 1000);
  wakeUp.wake("mail");
  wakeUp.wake("other");
  expect(look.mock.calls.slice(2)).toEqual([["other"]]);
  vi.advanceTimersByTime(990);
  expect(look).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(20);
  expect(look.mock.calls.slice(3)).toEqual([["mail"]]);
  wakeUp.stop();
});

test("a clock that is set back by months delays no queue", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"], now: Date.UTC(2026, 10, 30) });
  const look = vi.fn();
  const wakeUp = new QueueWakeUp(look);
  wakeUp.wake("mail");
  vi.setSystemTime(Date.UTC(2026, 4, 5));
  wakeUp.wake("mail");
  vi.advanceTimersByTime(100);
  expect(look).toHaveBeenCalledTimes(2);
  wakeUp.stop();
});
