import { expect, test } from "vitest";
import type { ImportEvent } from "#server/imports/formats/message.ts";
import { fileInMemory } from "#server/test/files/file-in-memory.ts";
import { zipOf } from "#server/test/files/zip.ts";
import { EXPORT_ARCHIVE_LIMITS } from "./archive.ts";
import { readAttached, readExport, recogniseExport } from "./read-export.ts";

async function read(zip: Buffer): Promise<ImportEvent[]> {
  const events: ImportEvent[] = [];
  for await (const event of readExport(fileInMemory(zip), {})) events.push(event);
  return events;
}

const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024);
const chat = Buffer.from("12.03.2024, 14:05 - Анна: привет\n12.03.2024, 14:06 - Пётр: да\n");
const long = Buffer.concat(Array.from({ length: 5000 }, (_, at) => Buffer.from(`12.03.2024, 14:05 - Анна: ${at}\n`)));

test.each([
  ["a bomb", zipOf([{ name: "_chat.txt", content: zeros(30) }]), "archive_too_large"],
  [
    "many small ones that are a bomb together",
    zipOf(Array.from({ length: 40 }, (_, at) => ({ name: `${at}.txt`, content: zeros(0.9) }))),
    "archive_too_large",
  ],
  [
    "more than 4 GB of words",
    zipOf(Array.from({ length: 3 }, (_, at) => ({ name: `${at}.json`, size: EXPORT_ARCHIVE_LIMITS.bytes / 2 - 1 }))),
    "archive_too_large",
  ],
  ["a header that says less than there is", zipOf([{ name: "_chat.txt", content: chat, size: 20 }]), "archive_unsafe"],
  ["a name that climbs out", zipOf([{ name: "../../etc/passwd", content: chat }]), "archive_unsafe"],
  ["an absolute name", zipOf([{ name: "/etc/passwd", content: chat }]), "archive_unsafe"],
  ["a Windows name", zipOf([{ name: "..\\a.txt", content: chat }]), "archive_unsafe"],
  ["an end without a beginning", Buffer.from("PK\x03\x04PK\x05\x06"), "archive_damaged"],
  ["a truncated one", zipOf([{ name: "_chat.txt", content: long }]).subarray(0, 400), "archive_damaged"],
  ["photos alone", zipOf([{ name: "a.jpg", content: chat }]), "unknown_export"],
])("an archive is refused before anything of it is unpacked: %s", async (_, zip, code) => {
  const before = process.memoryUsage().arrayBuffers;
  await expect(recogniseExport(fileInMemory(zip))).rejects.toMatchObject({ code });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50e6);
});

test("a damaged file in an archive yields its readable part, and the other files are read completely", async () => {
  const zip = zipOf([
    { name: "1.txt", content: long },
    { name: "2.txt", content: chat },
  ]);
  const whole = (await read(zip)).filter((event) => event.type === "message");
  expect(whole).toHaveLength(5002);
  // Damages the middle of the first file's compressed bytes.
  zip.fill(0xff, 4000, 4100);
  const events = await read(zip);
  expect(events.at(-1)).toMatchObject({ type: "end", incomplete: true });
  const kept = events.filter((event) => event.type === "message");
  expect(kept.length).toBeLessThan(5002);
  expect(kept.slice(-2).map(({ message }) => message.text)).toEqual(["привет", "да"]);
  expect(events.filter((event) => event.type === "end")).toHaveLength(1);
});

test("any number of photos is skipped without reading them", async () => {
  const photos = Array.from({ length: 2000 }, (_, at) => ({ name: `IMG-${at}.jpg`, size: 50e6 }));
  const events = await read(zipOf([...photos, { name: "WhatsApp Chat with Anna.txt", content: chat }]));
  expect(events.filter((event) => event.type === "message")).toHaveLength(2);
  expect(events).toContainEqual(expect.objectContaining({ chat: expect.objectContaining({ name: "Anna" }) }));
});

test("recordings are given in the order in which they are asked for; damaged, missing and forbidden ones as nothing", async () => {
  const noise = Buffer.from(Uint8Array.from({ length: 3000 }, (_, at) => (at * at * 31) % 251));
  const zip = zipOf([
    { name: "_chat.txt", content: chat },
    { name: "good.ogg", content: Buffer.from("OggS good") },
    { name: "longer.ogg", content: Buffer.from("OggS longer than its header says"), size: 5 },
    { name: "empty.ogg", content: Buffer.alloc(0) },
    { name: "broken.ogg", content: noise },
  ]);
  zip.fill(0xff, zip.indexOf("broken.ogg") + 100, zip.indexOf("broken.ogg") + 200);
  const wanted = ["broken.ogg", "good.ogg", "longer.ogg", "empty.ogg", "missing.ogg", "_chat.txt", "good.ogg"];
  const read = async (file: Buffer) => {
    const found: (string | null)[] = [];
    for await (const bytes of readAttached(fileInMemory(file), wanted)) found.push(bytes?.toString() ?? null);
    return found;
  };
  expect(await read(zip)).toEqual([null, "OggS good", null, null, null, null, "OggS good"]);
  expect(await read(chat)).toEqual(wanted.map(() => null));
});

test("a password, an export of everything, and what only a Mac adds are told apart from conversations", async () => {
  const locked = zipOf([{ name: "_chat.txt", content: chat }]);
  // The flag of encryption, in the archive's directory.
  locked.writeUInt16LE(1, locked.indexOf("PK\x01\x02") + 8);
  await expect(recogniseExport(fileInMemory(locked))).rejects.toMatchObject({ code: "archive_encrypted" });
  const everything = zipOf([{ name: "digital-twins-export.json", content: Buffer.from("{}") }]);
  await expect(recogniseExport(fileInMemory(everything))).rejects.toMatchObject({ code: "export_of_everything" });
  const mac = zipOf([
    { name: "__MACOSX/._chat.txt", content: long },
    { name: ".DS_Store", content: long },
    { name: "folder/", content: Buffer.alloc(0) },
  ]);
  await expect(recogniseExport(fileInMemory(mac))).rejects.toMatchObject({ code: "unknown_export" });
});
