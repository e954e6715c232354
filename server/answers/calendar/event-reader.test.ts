/** When events take time: zones, repetitions, exceptions, whole days; and calendars that are made to hurt. */
import { expect, test } from "vitest";
import readBusyTimes from "./event-reader.ts";
import { eventText } from "./new-event.ts";

const FROM = Date.parse("2026-11-30T00:00:00Z");
const DAY = 86_400_000;

const calendar = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.map((event) => `BEGIN:VEVENT\r\n${event.trim().replace(/\n\s*/g, "\r\n")}\r\nEND:VEVENT\r\n`).join("")}END:VCALENDAR\r\n`;

function busyIn(texts: readonly string[], days = 7): string[] {
  const read = readBusyTimes({ texts, from: FROM, to: FROM + days * DAY, timeZone: "Europe/Moscow" });
  if ("refusal" in read) throw new Error(read.refusal);
  const shown = (at: number) => new Date(at).toISOString().slice(5, 16);
  return read.busy.map(([start, end]) => `${shown(start)} ${shown(end)}`);
}

test("an event takes its time in its own zone, named, described, universal or none", () => {
  const described = `BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Odd\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0500\r\nTZOFFSETTO:+0500\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:d\r\nDTSTART;TZID=Odd:20261203T150000\r\nDURATION:PT30M\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  expect(
    busyIn([
      calendar("UID:a\nDTSTART:20261130T090000Z\nDTEND:20261130T100000Z"),
      calendar("UID:b\nDTSTART;TZID=Europe/Berlin:20261201T150000\nDTEND;TZID=Europe/Berlin:20261201T160000"),
      calendar("UID:c\nDTSTART:20261202T150000\nDTEND:20261202T160000"),
      described,
      calendar("UID:e\nDTSTART;TZID=Nowhere/Else:20261204T150000\nDTEND;TZID=Nowhere/Else:20261204T160000"),
    ]),
  ).toEqual([
    "11-30T09:00 11-30T10:00",
    "12-01T14:00 12-01T15:00",
    "12-02T12:00 12-02T13:00",
    "12-03T10:00 12-03T10:30",
    "12-04T12:00 12-04T13:00",
  ]);
});

test("a whole day takes the day of the calendar's zone; what is cancelled or shown as free takes nothing", () => {
  expect(
    busyIn([
      calendar("UID:a\nDTSTART;VALUE=DATE:20261201\nDTEND;VALUE=DATE:20261202"),
      calendar("UID:b\nDTSTART;VALUE=DATE:20261203"),
      calendar("UID:c\nSTATUS:CANCELLED\nDTSTART:20261130T090000Z\nDTEND:20261130T100000Z"),
      calendar("UID:d\nTRANSP:TRANSPARENT\nDTSTART:20261130T090000Z\nDTEND:20261130T100000Z"),
      calendar("UID:e\nDTSTART:20261130T090000Z"),
      "no calendar",
      calendar("UID:f\nSUMMARY:без времени"),
    ]),
  ).toEqual(["11-30T21:00 12-01T21:00", "12-02T21:00 12-03T21:00"]);
});

test("repetitions are counted with what was left out, moved and cancelled, and keep their wall time over a change of clocks", () => {
  const weekly = "UID:w\nDTSTART;TZID=Europe/Berlin:20260601T100000\nDTEND;TZID=Europe/Berlin:20260601T110000";
  expect(busyIn([calendar(`${weekly}\nRRULE:FREQ=WEEKLY;BYDAY=MO,TH`)])).toEqual([
    "11-30T09:00 11-30T10:00",
    "12-03T09:00 12-03T10:00",
  ]);
  const daily =
    "UID:r\nDTSTART:20261129T090000Z\nDTEND:20261129T100000Z\nRRULE:FREQ=DAILY;COUNT=5\nEXDATE:20261201T090000Z";
  const moved = "UID:r\nRECURRENCE-ID:20261130T090000Z\nDTSTART:20261130T150000Z\nDTEND:20261130T160000Z";
  const cancelled =
    "UID:r\nRECURRENCE-ID:20261202T090000Z\nSTATUS:CANCELLED\nDTSTART:20261202T090000Z\nDTEND:20261202T100000Z";
  expect(busyIn([calendar(daily, moved, cancelled)])).toEqual(["11-30T15:00 11-30T16:00", "12-03T09:00 12-03T10:00"]);
});

test("a booking of ours is read as it was written", () => {
  const text = eventText({
    ...{ uid: "42", start: new Date("2026-12-01T12:00:00Z"), end: new Date("2026-12-01T13:00:00Z") },
    ...{ title: "Запись: Иван\r\nBEGIN:VEVENT", about: "Стрижка; борода, «как в прошлый раз»\nEND:VEVENT" },
  });
  expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(1);
  expect(text.match(/^END:VEVENT/gm)).toHaveLength(1);
  expect(busyIn([text])).toEqual(["12-01T12:00 12-01T13:00"]);
});

test.each([
  ["every second since 1970", ["RRULE:FREQ=SECONDLY"]],
  ["never, for ever", ["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31"]],
  ["daily, a thousand times over", Array.from({ length: 1000 }, (_, at) => `UID:${at}\nRRULE:FREQ=DAILY`)],
])("events that repeat %s end in a sentence or in nothing, in time", (_, rules) => {
  const began = performance.now();
  const events = rules.map((rule) => `DTSTART:19700101T000000Z\nDTEND:19700101T000001Z\n${rule}`);
  const read = readBusyTimes({ texts: [calendar(...events)], from: FROM, to: FROM + DAY, timeZone: "Europe/Moscow" });
  if ("refusal" in read) expect(read.refusal).toContain("слишком много");
  else expect(read.busy.length).toBeLessThan(10);
  expect(performance.now() - began).toBeLessThan(8000);
});
