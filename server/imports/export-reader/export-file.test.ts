import { expect, test } from "vitest";
import { ArchiveReader, BLOCK_BYTES, bytesOf, type ExportFile, inKeptBlocks } from "./export-file.ts";

const bytes = Buffer.from(Uint8Array.from({ length: 6 * BLOCK_BYTES + 100 }, (_, at) => (at * 7) % 251));

/** Counts the blocks that are read, and may be shorter than its size says. */
function counted(content = bytes, size = content.length): ExportFile & { reads: number[] } {
  const reads: number[] = [];
  const read = async (at: number, length: number) => {
    reads.push(at / BLOCK_BYTES);
    return content.subarray(at, at + length);
  };
  return { size, read, reads };
}

test("a range over several blocks is whole, and a block that was just read is not read again", async () => {
  const file = counted();
  const kept = inKeptBlocks(file);
  const range = [BLOCK_BYTES - 10, 2 * BLOCK_BYTES] as const;
  expect(Buffer.compare(await kept.read(...range), bytes.subarray(range[0], range[0] + range[1]))).toBe(0);
  expect(await kept.read(BLOCK_BYTES, 5)).toEqual(bytes.subarray(BLOCK_BYTES, BLOCK_BYTES + 5));
  expect(file.reads).toEqual([0, 1, 2]);
});

test("only the latest blocks stay in memory", async () => {
  const file = counted();
  const kept = inKeptBlocks(file);
  for (const block of [0, 1, 2, 3, 0, 4, 1, 0]) await kept.read(block * BLOCK_BYTES, 1);
  expect(file.reads).toEqual([0, 1, 2, 3, 4, 1]);
});

test("beyond the end, and of a file that has become shorter, only what is there is read", async () => {
  const kept = inKeptBlocks(counted());
  expect(await kept.read(bytes.length - 5, 100)).toEqual(bytes.subarray(-5));
  expect(await kept.read(bytes.length, 100)).toHaveLength(0);
  const shorter = inKeptBlocks(counted(bytes.subarray(0, 10), BLOCK_BYTES));
  expect(await shorter.read(0, 100)).toEqual(bytes.subarray(0, 10));
  const parts = [];
  for await (const part of bytesOf(counted(bytes.subarray(0, 10), BLOCK_BYTES))) parts.push(part);
  expect(Buffer.concat(parts)).toEqual(bytes.subarray(0, 10));
});

test("an archive's reader gets the bytes it asks for, or the error of the disk", async () => {
  const reading = (file: ExportFile) =>
    new Promise<Buffer>((resolve, reject) => {
      const into = Buffer.alloc(4);
      new ArchiveReader(file).read(into, 1, 3, 5, (error, length) =>
        error === null ? resolve(into.subarray(1, 1 + length!)) : reject(error),
      );
    });
  expect(await reading(counted())).toEqual(bytes.subarray(5, 8));
  const broken = { size: 10, read: () => Promise.reject(new Error("the disk is away")) };
  await expect(reading(broken)).rejects.toThrow("the disk is away");
});
