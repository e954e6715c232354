import { expect, test } from "vitest";
import { formatDate, formatMoment, formatRecent, formatShare, formatShortDate, formatTime } from "./format.ts";
import { formatSize } from "./size.ts";

test("shares are whole percents without a space", () => {
  expect(formatShare(0.914)).toBe("91%");
  expect(formatShare(1)).toBe("100%");
});

test.each([
  [0, "0\u00a0байт"],
  [1023, "1\u00a0023\u00a0байт"],
  [1536, "1,5\u00a0КБ"],
  [12_288, "12\u00a0КБ"],
  [1024 ** 2 - 1, "1\u00a0МБ"],
  [50 * 1024 ** 2, "50\u00a0МБ"],
  [3 * 1024 ** 4, "3\u00a0072\u00a0ГБ"],
])("%d bytes are %s", (bytes, expected) => {
  expect(formatSize(bytes)).toBe(expected);
});

test.each([formatDate, formatShortDate, formatMoment, formatRecent, formatTime])(
  "a date that cannot be read is a dash, and no error",
  (format) => {
    for (const value of ["вчера", "", Number.NaN, new Date("x")]) expect(format(value)).toBe("—");
    expect(format("2025-11-20T10:00:00.000Z")).toMatch(/\d/);
  },
);
