import { expect, test } from "vitest";
import { instantOf, timesIn } from "./snooze-times.ts";

const named = (zone: string, now: string) =>
  Object.fromEntries(timesIn(zone, new Date(now)).map(({ name, at }) => [name, at]));

test("later is three hours on, rounded up to the hour; tomorrow and next Monday begin at nine, by the zone's own clock", () => {
  // A Tuesday; Moscow is three hours ahead of UTC, Vladivostok ten.
  expect(named("Europe/Moscow", "2026-11-24T09:20:00Z")).toEqual({
    later: "2026-11-24T13:00:00.000Z",
    tomorrow: "2026-11-25T06:00:00.000Z",
    "next-week": "2026-11-30T06:00:00.000Z",
  });
  expect(named("Asia/Vladivostok", "2026-11-24T02:00:00Z")).toEqual({
    later: "2026-11-24T05:00:00.000Z",
    tomorrow: "2026-11-24T23:00:00.000Z",
    "next-week": "2026-11-29T23:00:00.000Z",
  });
});

test("nothing is put off into the night, and on a Sunday tomorrow is next Monday already", () => {
  expect(named("Europe/Moscow", "2026-11-24T17:00:00Z")).not.toHaveProperty("later");
  expect(named("Europe/Moscow", "2026-11-24T16:00:00Z")).toHaveProperty("later", "2026-11-24T19:00:00.000Z");
  expect(Object.keys(named("Europe/Moscow", "2026-11-29T06:00:00Z"))).toEqual(["later", "tomorrow"]);
  expect(named("Europe/Moscow", "2026-11-30T06:00:00Z")["next-week"]).toBe("2026-12-07T06:00:00.000Z");
});

test("a morning keeps its hour when the clocks are changed, and a date that does not exist is none", () => {
  expect(named("Europe/Berlin", "2026-03-28T12:00:00Z").tomorrow).toBe("2026-03-29T07:00:00.000Z");
  expect(instantOf("2026-03-29T09:00", "Europe/Berlin")?.toISOString()).toBe("2026-03-29T07:00:00.000Z");
  expect(instantOf("2026-02-30T09:00", "Europe/Moscow")).toBeNull();
  expect(instantOf("2026-02-20T25:00", "Europe/Moscow")).toBeNull();
});
