import { expect, test } from "vitest";
import { WorkingHours } from "#contract/integrations/working-hours.ts";
import { closedSince } from "./working-hours.ts";

const weekdays = [1, 2, 3, 4, 5].map((day) => ({ day, from: "09:00", to: "18:00" }));
const around = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: "00:00", to: "00:00" }));
const nights = [{ day: 5, from: "22:00", to: "06:00" }];

// 2026-11-20 is a Friday; Moscow is three hours ahead of UTC all year, Berlin changes its clocks.
test.each([
  ["in working time", "Europe/Moscow", weekdays, "2026-11-20T06:00:00Z", null],
  ["a second before the opening", "Europe/Moscow", weekdays, "2026-11-20T05:59:59Z", "2026-11-19T15:00:00.000Z"],
  ["from the closing on", "Europe/Moscow", weekdays, "2026-11-20T15:00:00Z", "2026-11-20T15:00:00.000Z"],
  ["on a Sunday", "Europe/Moscow", weekdays, "2026-11-22T12:00:00Z", "2026-11-20T15:00:00.000Z"],
  ["late on a Monday that is a Tuesday there", "Asia/Vladivostok", weekdays, "2026-11-23T23:30:00Z", null],
  ["around the clock", "Europe/Moscow", around, "2026-11-22T20:59:59Z", null],
  ["past midnight of a night shift", "Europe/Moscow", nights, "2026-11-21T02:59:00Z", null],
  ["after it", "Europe/Moscow", nights, "2026-11-21T03:00:00Z", "2026-11-21T03:00:00.000Z"],
  ["six days after it", "Europe/Moscow", nights, "2026-11-27T12:00:00Z", "2026-11-21T03:00:00.000Z"],
  ["before the clocks go back", "Europe/Berlin", weekdays, "2026-10-23T07:00:00Z", null],
  ["after the clocks have gone back", "Europe/Berlin", weekdays, "2026-10-26T07:59:00Z", "2026-10-23T16:00:00.000Z"],
])("%s", (_when, timeZone, slots, now, since) => {
  const hours = WorkingHours.parse({ timeZone, slots, outside: "draft", awayText: "" });
  expect(closedSince(hours, new Date(now))?.toISOString() ?? null).toBe(since);
});

test.each([
  [{ timeZone: "Луна/Кратер" }, "Выберите часовой пояс"],
  [{ timeZone: "" }, "Выберите часовой пояс"],
  [{ slots: [] }, "Выберите хотя бы один рабочий день"],
  [{ slots: [...weekdays, { day: 1, from: "19:00", to: "20:00" }] }, "Каждый день указывают один раз"],
  [{ slots: [{ day: 8, from: "09:00", to: "10:00" }] }, "Укажите день"],
  [{ slots: [{ day: 1, from: "09:00", to: "24:00" }] }, "Укажите время"],
  [{ outside: "away", awayText: " " }, "Напишите, что ответить вне рабочих часов"],
])("%o is refused", (change, message) => {
  const hours = { timeZone: "Europe/Moscow", slots: weekdays, outside: "draft", awayText: "", ...change };
  expect(WorkingHours.safeParse(hours).error?.issues[0]?.message).toBe(message);
});
