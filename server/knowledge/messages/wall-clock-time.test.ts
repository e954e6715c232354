import { describe, expect, test } from "vitest";
import { localClock } from "./wall-clock-time.ts";

const at = (text: string) => {
  const [year, month, day, hour, minute, second] = text.split(/[-T:]/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { year, month, day, hour, minute, second };
};

describe("converting wall-clock time to an instant", () => {
  test("uses the offset that Moscow had in the given year", () => {
    const moscow = localClock("Europe/Moscow");
    expect(moscow(at("2024-03-12T14:05:33"))?.toISOString()).toBe("2024-03-12T11:05:33.000Z");
    expect(moscow(at("2012-07-01T12:00:00"))?.toISOString()).toBe("2012-07-01T08:00:00.000Z");
    expect(moscow(at("2008-01-10T12:00:00"))?.toISOString()).toBe("2008-01-10T09:00:00.000Z");
  });

  test("is exact around a clock change: a skipped time is moved forward, and of an ambiguous time the earlier one is taken", () => {
    const berlin = localClock("Europe/Berlin");
    expect(berlin(at("2024-03-31T01:59:00"))?.toISOString()).toBe("2024-03-31T00:59:00.000Z");
    expect(berlin(at("2024-03-31T02:30:00"))?.toISOString()).toBe("2024-03-31T01:30:00.000Z");
    expect(berlin(at("2024-03-31T03:00:00"))?.toISOString()).toBe("2024-03-31T01:00:00.000Z");
    expect(berlin(at("2024-10-27T02:30:00"))?.toISOString()).toBe("2024-10-27T00:30:00.000Z");
    expect(berlin(at("2024-10-27T03:00:00"))?.toISOString()).toBe("2024-10-27T02:00:00.000Z");
  });

  test("returns null for a date that does not exist", () => {
    const utc = localClock("UTC");
    expect(utc(at("2023-02-29T10:00:00"))).toBeNull();
    expect(utc(at("2023-13-01T10:00:00"))).toBeNull();
    expect(utc(at("2023-01-01T24:00:00"))).toBeNull();
    expect(utc(at("2023-01-01T10:60:00"))).toBeNull();
  });

  test("throws for an unknown zone", () => {
    expect(() => localClock("Mars/Olympus")).toThrow(RangeError);
  });
});
