/** Slots of days with and without a change of clocks, and in zones of their own. */
import { expect, test } from "vitest";
import { bookableDays, freeOf, type SlotRules, slotsOf, spanOf } from "./slots.ts";

const RULES: SlotRules = {
  ...{ days: [1, 2, 3, 4, 5], from: "09:00", to: "12:00", slotMinutes: 60, daysAhead: 3, noticeMinutes: 0 },
  timeZone: "Europe/Moscow",
};
const MONDAY = "2026-11-30";
const BEFORE = new Date("2026-11-01T00:00:00Z");
const timesOf = (date: string, more: Partial<SlotRules> = {}, now = BEFORE) =>
  slotsOf(date, { ...RULES, ...more }, now).map(({ time, start }) => `${time} ${start.toISOString().slice(11, 16)}`);

test("stand in the working hours of the zone, whole, and not on a day off", () => {
  expect(timesOf(MONDAY)).toEqual(["09:00 06:00", "10:00 07:00", "11:00 08:00"]);
  expect(timesOf(MONDAY, { slotMinutes: 50 })).toHaveLength(3);
  expect(timesOf(MONDAY, { slotMinutes: 240 })).toEqual([]);
  expect(timesOf("2026-12-05")).toEqual([]);
  expect(timesOf(MONDAY, { timeZone: "Asia/Vladivostok" })[0]).toBe("09:00 23:00");
});

test("that have passed, or are too near, are left out", () => {
  const now = new Date("2026-11-30T06:30:00Z");
  expect(timesOf(MONDAY, {}, now)).toEqual(["10:00 07:00", "11:00 08:00"]);
  expect(timesOf(MONDAY, { noticeMinutes: 60 }, now)).toEqual(["11:00 08:00"]);
});

test("are free where nothing that takes time touches them; what ends as they begin does not", () => {
  const slots = slotsOf(MONDAY, RULES, BEFORE);
  const at = (time: string) => Date.parse(`2026-11-30T${time}:00Z`);
  const free = (...busy: [string, string][]) =>
    freeOf(
      slots,
      busy.map(([from, to]) => [at(from), at(to)] as const),
    ).map(({ time }) => time);
  expect(free(["05:00", "06:00"], ["09:00", "10:00"])).toEqual(["09:00", "10:00", "11:00"]);
  expect(free(["06:59", "07:01"])).toEqual(["11:00"]);
  expect(free(["00:00", "23:00"])).toEqual([]);
});

test("of the night in which clocks change are each an hour, none of them at a time that does not exist", () => {
  const night = { days: [7], from: "00:00", to: "05:00", timeZone: "Europe/Berlin" };
  // 2026-03-29: 02:00 becomes 03:00.
  expect(timesOf("2026-03-29", night, new Date("2026-01-01T00:00:00Z"))).toEqual([
    "00:00 23:00",
    "01:00 00:00",
    "03:00 01:00",
    "04:00 02:00",
  ]);
  // 2026-10-25: 03:00 becomes 02:00 again.
  const autumn = timesOf("2026-10-25", night, new Date("2026-01-01T00:00:00Z"));
  expect(autumn).toEqual(["00:00 22:00", "01:00 23:00", "02:00 00:00", "03:00 02:00", "04:00 03:00"]);
});

test("are offered for as many days as the owner says, from today on in the zone", () => {
  const lateEvening = new Date("2026-11-30T22:00:00Z");
  expect(bookableDays(RULES, lateEvening)).toEqual(["2026-12-01", "2026-12-02", "2026-12-03"]);
  expect(bookableDays({ ...RULES, timeZone: "America/New_York" }, lateEvening)[0]).toBe(MONDAY);
  const { from, to } = spanOf(["2026-03-29"], "Europe/Berlin");
  expect((to.getTime() - from.getTime()) / 3_600_000).toBe(23);
});
