import { expect, test } from "vitest";
import { eventReader } from "./event-stream.ts";

const whole = ': ping\nevent: delta\r\ndata: {"text":"да"}\r\n\r\ndata: first\ndata: second\n\nid: 4\n\ndata:bare\n\n';
const expected = [
  { event: "delta", data: '{"text":"да"}' },
  { event: "message", data: "first\nsecond" },
  { event: "message", data: "bare" },
];

test.each([1, 2, 3, 7, 1000])("events come out the same from pieces of %i characters", (size) => {
  const reader = eventReader();
  const events = [];
  for (let from = 0; from < whole.length; from += size) events.push(...reader.push(whole.slice(from, from + size)));
  expect(events).toEqual(expected);
});

test("an event is held back until its empty line", () => {
  const reader = eventReader();
  expect(reader.push("data: half")).toEqual([]);
  expect(reader.push("\n")).toEqual([]);
  expect(reader.push("\n")).toEqual([{ event: "message", data: "half" }]);
});
