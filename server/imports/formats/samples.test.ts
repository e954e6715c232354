import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ImportEvent } from "./message.ts";
import { detectFormat, exportFormats } from "./registry.ts";

const folder = join(import.meta.dirname, "samples");
const samples = readdirSync(folder).filter((name) => !name.endsWith(".expected.json"));

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("each sample of an export is told by its content and reads as expected", () => {
  test.each(samples)("%s", async (name) => {
    const bytes = readFileSync(join(folder, name));
    const expected = JSON.parse(readFileSync(join(folder, `${name}.expected.json`), "utf8"));
    const format = detectFormat(bytes);
    expect(format?.name).toBe(expected.format);
    for (const size of [7, bytes.length]) {
      const events: ImportEvent[] = [];
      for await (const event of format!.read(inPieces(bytes, size), { fileName: name })) events.push(event);
      expect(JSON.parse(JSON.stringify(events))).toEqual(expected.events);
    }
  });

  test("only one format claims a sample", () => {
    for (const name of samples) {
      const bytes = readFileSync(join(folder, name));
      expect(exportFormats.filter((format) => format.detect(bytes)).length, name).toBe(1);
    }
  });

  test("other files are nobody's", () => {
    const others = [
      "",
      "{}",
      "[]",
      '{"a":1}',
      "просто текст\nв две строки",
      '{ "guild": { "id": "1" }, "channel": { "id": "2" }, "messages": [{ "id": "10", "type": "Default", "content": "привет" }] }',
      '[{ "type": "message", "user": "U1", "text": "hi", "ts": "1710000000.000100" }]',
      "From anna@example.com Tue Mar 12 14:05:33 2024\nSubject: привет\n\nтекст\n",
      "PK\u0003\u0004\u0000\u0000",
      "%PDF-1.7\n12.03.2024, 14:05 - Анна: привет",
    ];
    for (const text of others) expect(detectFormat(Buffer.from(text))?.name, text).toBeUndefined();
  });
});
