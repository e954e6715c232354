import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { formatDay, formatWhen } from "./when.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 0, 1, 0, 30) });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a row of a list says the time of today, yesterday in a word, and the day of anything older", () => {
  expect(formatWhen(new Date(2026, 0, 1, 0, 5).toISOString())).toBe("00:05");
  expect(formatWhen(new Date(2025, 11, 31, 23, 59).toISOString())).toBe("вчера");
  expect(formatWhen(new Date(2025, 11, 30, 12).toISOString())).toBe("30.12.2025");
  vi.setSystemTime(new Date(2026, 10, 26, 12));
  expect(formatWhen(new Date(2026, 0, 1, 12).toISOString())).toBe("1\u00a0янв.");
  expect(formatWhen("no date")).toBe("—");
});

test("a day between messages has its year only where it is another one", () => {
  expect(formatDay(new Date(2026, 0, 1, 0, 5).toISOString())).toBe("Сегодня");
  expect(formatDay(new Date(2025, 11, 31).toISOString())).toBe("Вчера");
  expect(formatDay(new Date(2025, 11, 30, 12).toISOString())).toMatch(/^30 декабря 2025/);
});
