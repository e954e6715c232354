import { afterEach, expect, test, vi } from "vitest";
import { keepTyping, TYPING_AGAIN_MS } from "./typing.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("typing is shown at once and again as long as the answer is being written", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const show = vi.fn(() => Promise.reject(new Error("away")));
  const end = keepTyping(show);
  expect(show).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2 * TYPING_AGAIN_MS);
  expect(show).toHaveBeenCalledTimes(3);
  end();
  vi.advanceTimersByTime(2 * TYPING_AGAIN_MS);
  expect(show).toHaveBeenCalledTimes(3);
});
