import { expect, test } from "vitest";
import { search } from "../ranking/search-segments.ts";
import { buildSegment } from "./build-segment.ts";
import { decodeSegment, encodeSegment, sizeOf, UnreadableSegment } from "./segment-bytes.ts";

const segment = buildSegment("chunk", [
  { id: 7, audience: 0, text: "Доставка по Москве занимает два дня", heading: "Доставка" },
  { id: 2 ** 40, audience: -1, text: "The warranty covers two years" },
  { id: 3, audience: 12, text: "Завтра в семь у метро" },
]);

test("a segment survives encoding and decoding", () => {
  const decoded = decodeSegment(encodeSegment(segment));
  expect(decoded).toEqual(segment);
  expect(sizeOf(decoded)).toBe(sizeOf(segment));
  expect(search([decoded], "warranty", { allows: () => true, limit: 5 })[0]?.id).toBe(2 ** 40);
});

test("an empty segment survives too, and finds nothing", () => {
  const empty = decodeSegment(encodeSegment(buildSegment("message", [])));
  expect(search([empty], "доставка", { allows: () => true, limit: 5 })).toEqual([]);
});

test("bytes that do not start on an 8-byte boundary are read as well", () => {
  const bytes = encodeSegment(segment);
  const shifted = new Uint8Array(bytes.length + 3).subarray(3);
  shifted.set(bytes);
  expect(decodeSegment(shifted)).toEqual(segment);
});

test("damaged, truncated and foreign bytes are refused", () => {
  const bytes = encodeSegment(segment);
  for (let at = 0; at < bytes.length; at += 37) {
    const damaged = Buffer.from(bytes);
    damaged[at]! ^= 0x10;
    expect(() => decodeSegment(damaged)).toThrow(UnreadableSegment);
  }
  expect(() => decodeSegment(bytes.subarray(0, bytes.length - 8))).toThrow(UnreadableSegment);
  expect(() => decodeSegment(Buffer.alloc(0))).toThrow(UnreadableSegment);
  expect(() => decodeSegment(Buffer.from("<html>404</html>"))).toThrow(UnreadableSegment);
});
