import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readExport, recogniseExport } from "#server/imports/export-reader/read-export.ts";
import { fileInMemory } from "#server/test/files/file-in-memory.ts";
import { zipOf } from "#server/test/files/zip.ts";
import type { ImportEvent, ReadOptions } from "./message.ts";
import { detectFormat, exportFormats } from "./registry.ts";

const folder = join(import.meta.dirname, "samples");
const samples = readdirSync(folder).filter((name) => !name.endsWith(".expected.json"));
/** A folder among the samples stands for an archive of its files. */
const isArchived = (name: string) => statSync(join(folder, name)).isDirectory();
const loose = samples.filter((name) => !isArchived(name));

function archived(name: string): Buffer {
  const names = readdirSync(join(folder, name), { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((each) => statSync(join(folder, name, each)).isFile());
  return zipOf(files.map((each) => ({ name: each, content: readFileSync(join(folder, name, each)) })));
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(events: AsyncIterable<ImportEvent>): Promise<unknown> {
  const found: ImportEvent[] = [];
  for await (const event of events) found.push(event);
  return JSON.parse(JSON.stringify(found));
}

describe("each sample export is recognised by its content and read as expected", () => {
  test.each(samples)("%s", async (name) => {
    const expected = JSON.parse(readFileSync(join(folder, `${name}.expected.json`), "utf8"));
    const bytes = isArchived(name) ? archived(name) : readFileSync(join(folder, name));
    const options: ReadOptions = { fileName: name };
    expect(await recogniseExport(fileInMemory(bytes))).toBe(expected.format);
    expect(await all(readExport(fileInMemory(bytes), options))).toEqual(expected.events);
    if (isArchived(name)) return;
    expect(await all(detectFormat(bytes)!.read(inPieces(bytes, 7), options))).toEqual(expected.events);
  });

  test.each(loose.filter((name) => name.endsWith(".json")))("%s with a byte order mark", async (name) => {
    const expected = JSON.parse(readFileSync(join(folder, `${name}.expected.json`), "utf8"));
    const bytes = Buffer.concat([Buffer.from("\uFEFF"), readFileSync(join(folder, name))]);
    expect(await recogniseExport(fileInMemory(bytes))).toBe(expected.format);
    expect(await all(readExport(fileInMemory(bytes), { fileName: name }))).toEqual(expected.events);
  });

  test("only one format claims a sample", () => {
    for (const name of loose) {
      const bytes = readFileSync(join(folder, name));
      const claims = exportFormats.filter((format) => format.detect(bytes)).map((format) => format.name);
      // Any text with names at the beginning of lines could have this format, so it is tried last.
      expect(claims.filter((each, at) => at === 0 || each !== "chat-text").length, name).toBe(1);
    }
  });

  test("other files are recognised by no format", () => {
    const others = [
      "",
      "{}",
      "[]",
      '{"a":1}',
      "просто текст\nв две строки",
      '[{ "type": "message", "user": "U1", "text": "hi", "ts": "1710000000.000100" }]',
      "From the office\nс приветом",
      "name,price\nстол,100\n",
      "Итого: 500\nСкидка: 10\nК оплате: 450\n",
      "<!DOCTYPE html><html><body><p>Привет</p></body></html>",
      "PK\u0003\u0004\u0000\u0000",
      "%PDF-1.7\n12.03.2024, 14:05 - Анна: привет",
    ];
    for (const text of others) expect(detectFormat(Buffer.from(text))?.name, text).toBeUndefined();
  });
});
