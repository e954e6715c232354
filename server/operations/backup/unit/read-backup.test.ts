/** What a stranger has written into the file, and what is missing from it: the encryption prevents neither. */
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lock, makeLock } from "#server/test/backups.ts";
import { decryptionKeyOf, encryptBackup } from "../age-file.ts";
import { type Entry, packEntries, unpackEntries } from "../archive.ts";
import { readBackup } from "../read-backup.ts";

let folder: string;
let lock: Lock;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-read-backup-"));
  lock = await makeLock();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const json = (name: string, value: unknown): Entry => ({ name, bytes: Buffer.from(JSON.stringify(value)) });
const text = (name: string, value: string): Entry => ({ name, bytes: Buffer.from(value) });
const sumOf = (value: string) => ({
  bytes: Buffer.byteLength(value),
  sha256: createHash("sha256").update(value).digest("hex"),
});

const MANIFEST = {
  ...{ format: 1, product: "0.2.0", engine: "embedded", at: "2026-11-29T10:00:00.000Z", models: ["small"] },
  migrations: [{ hash: "a", at: 1 }],
  tables: [{ name: "twins", columns: ["id", "name"] }],
};
const [ROWS, LETTER] = ['["1","Анна"]\n["2",null]\n', "letter"];
const KEY = Buffer.alloc(32, 7);
const SUMS = { tables: { twins: { rows: 2, ...sumOf(ROWS) } }, files: { "folder/one": sumOf(LETTER) } };

const WHOLE: Entry[] = [
  json("manifest.json", MANIFEST),
  json("keys.json", [KEY.toString("base64")]),
  text("tables/twins/00000001", ROWS),
  json("sequences.json", [{ table: "twins", column: "id", value: "2" }]),
  text("files/folder/one/00000001", LETTER),
  json("sums.json", SUMS),
];

async function write(entries: readonly Entry[]): Promise<string> {
  async function* each() {
    yield* entries;
  }
  const path = join(folder, "backup.age");
  await writeFile(path, (await encryptBackup(each(), lock)).bytes);
  return path;
}

/** The whole backup with another entry in the place of the one of this name. */
const replacing = (name: string, ...others: Entry[]) =>
  WHOLE.flatMap((entry) => (entry.name === name ? others : [entry]));
const withRows = (rows: string) => replacing("tables/twins/00000001", text("tables/twins/00000001", rows));

test("a whole backup gives its keys, rows, sequences and files, in their order", async () => {
  const found: unknown[] = [];
  const { manifest, sums } = await readBackup(await write(WHOLE), decryptionKeyOf(lock), {
    keys: (keys) => void found.push(keys),
    rows: ({ name }, rows) => void found.push([name, rows]),
    sequences: (sequences) => void found.push(sequences),
    file: (path, bytes, number) => void found.push([path, bytes.toString(), number]),
  });
  expect({ manifest, sums }).toEqual({ manifest: MANIFEST, sums: SUMS });
  expect(found).toEqual([
    [KEY],
    [
      "twins",
      [
        ["1", "Анна"],
        ["2", null],
      ],
    ],
    [{ table: "twins", column: "id", value: "2" }],
    ["folder/one", "letter", 1],
  ]);
});

test.each<[string, Entry[]]>([
  ["begins with something else", WHOLE.slice(1)],
  ["holds nothing", []],
  ["has lost its end", WHOLE.slice(0, -1)],
  ["goes on after its end", [...WHOLE, text("files/late/00000001", "")]],
  ["holds a table that it does not name", [WHOLE[0]!, text("tables/pg_authid/00000001", ROWS)]],
  ["holds something unknown", [WHOLE[0]!, text("elsewhere/one", "")]],
  ["lacks a piece", replacing("files/folder/one/00000001", text("files/folder/one/00000002", LETTER))],
  ["lacks a file", replacing("files/folder/one/00000001")],
  ["has another file's bytes", replacing("files/folder/one/00000001", text("files/folder/one/00000001", "Letter"))],
  ["has a row too few", withRows('["1","Анна"]\n')],
  ["has a row that is cut off", withRows(ROWS.slice(0, -1))],
  ["has a row of other columns", withRows('["1"]\n["2",null]\n')],
  ["has a row that is no row", withRows('{"id":1}\n')],
  ["has a number in a row", withRows('[1,"Анна"]\n')],
  ["has a row that is no JSON", withRows("Анна\n")],
  ["has keys of no length", replacing("keys.json", json("keys.json", ["a2V5"]))],
  [
    "has sequences of no number",
    replacing("sequences.json", json("sequences.json", [{ table: "twins", column: "id", value: "x" }])),
  ],
  [
    "names a table with a path",
    replacing("manifest.json", json("manifest.json", { ...MANIFEST, tables: [{ name: "../x", columns: [] }] })),
  ],
  ["says nothing of its format", replacing("manifest.json", json("manifest.json", {}))],
])("a backup that %s is refused as damaged", async (_, entries) => {
  await expect(readBackup(await write(entries), decryptionKeyOf(lock))).rejects.toThrow("Файл повреждён или обрезан");
});

test("a newer format is refused with the way out", async () => {
  const newer = replacing("manifest.json", json("manifest.json", { ...MANIFEST, format: 2 }));
  await expect(readBackup(await write(newer), decryptionKeyOf(lock))).rejects.toThrow("Обновите программу и повторите");
});

test("without a key in the settings it is said which one is missing", async () => {
  const none = { passphrase: null, recipient: null, identity: null };
  expect(() => decryptionKeyOf(none)).toThrow(
    "нужна BACKUP_PASSPHRASE или, если копия сделана для открытого ключа, BACKUP_IDENTITY",
  );
  async function* nothing(): AsyncGenerator<Entry> {}
  await expect(encryptBackup(nothing(), none)).rejects.toThrow("задайте BACKUP_PASSPHRASE или BACKUP_RECIPIENT");
});

describe("the archive inside", () => {
  async function listOf<One>(all: AsyncIterable<One>): Promise<One[]> {
    const list: One[] = [];
    for await (const one of all) list.push(one);
    return list;
  }
  async function packed(...entries: Entry[]): Promise<Buffer> {
    async function* each() {
      yield* entries;
    }
    return Buffer.concat(await listOf(packEntries(each())));
  }
  async function* inPieces(bytes: Buffer, size: number) {
    yield Buffer.alloc(0);
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const unpacked = (bytes: Buffer, size = 100) => listOf(unpackEntries(inPieces(bytes, size)));
  const HEADER_SUM = 148;
  /** Changes a field of the first header, and its checksum with it. */
  function withField(bytes: Buffer, at: number, value: string): Buffer {
    const changed = Buffer.from(bytes);
    changed.write(value, at, "latin1");
    changed.write(" ".repeat(8), HEADER_SUM, "latin1");
    const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    changed.write(`${sum.toString(8).padStart(6, "0")}\0 `, HEADER_SUM, "latin1");
    return changed;
  }

  test("is read in pieces of any length", async () => {
    const entries = [text("one", "a".repeat(700)), text("folder/two", "")];
    expect(await unpacked(await packed(...entries), 7)).toEqual(entries);
  });

  test("names no file outside its folder, on writing or on reading", async () => {
    for (const name of ["../escaped", ".hidden", "/etc/passwd", "a//b", "a".repeat(101)])
      await expect(packed(text(name, "")), name).rejects.toThrow("cannot be named");
    const bytes = await packed(text("one", "a"));
    for (const [at, value] of [
      [0, "../"],
      [0, "/etc"],
      [124, "77777777777\0"],
      [124, "-0000000001\0"],
      [124, "x"],
      // A link.
      [156, "2"],
    ] as const)
      await expect(unpacked(withField(bytes, at, value)), value).rejects.toThrow("Файл повреждён");
    expect(await unpacked(withField(bytes, 0, "two"))).toEqual([text("two", "a")]);
  });

  test("that is cut off or continued is refused", async () => {
    const bytes = await packed(text("one", "a"));
    for (const length of [0, 300, 512, 600, 1024, bytes.length - 1])
      await expect(unpacked(bytes.subarray(0, length)), String(length)).rejects.toThrow("Файл повреждён");
    await expect(unpacked(Buffer.concat([bytes, Buffer.from("x")]))).rejects.toThrow("Файл повреждён");
  });
});
