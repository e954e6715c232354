import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Disk, writeWithFreeSpace } from "./disk.ts";

const MEGABYTE = 1024 ** 2;

test("a twentieth of the disk, at least a gigabyte, must stay free unless the settings say otherwise", async () => {
  const floorOf = async (totalMegabytes: number, diskFloorBytes: number | null = null) => {
    const disk = new Disk({ dataDir: tmpdir(), diskFloorBytes });
    disk.measure = async () => ({ totalBytes: totalMegabytes * MEGABYTE, freeBytes: 0 });
    return (await disk.look()).floorBytes / MEGABYTE;
  };
  expect(await floorOf(10_000)).toBe(1024);
  expect(await floorOf(100_000)).toBe(5000);
  expect(await floorOf(100_000, 0)).toBe(0);
});

test("free space is measured on the data folder's disk", async () => {
  const { totalBytes, freeBytes } = await new Disk({ dataDir: tmpdir(), diskFloorBytes: 0 }).look();
  expect(totalBytes).toBeGreaterThan(freeBytes);
  expect(freeBytes).toBeGreaterThan(0);
});

test("free space is measured even before the data folder exists", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dt-disk-"));
  try {
    const { freeBytes } = await new Disk({ dataDir: join(folder, "new", "data"), diskFloorBytes: 0 }).look();
    expect(freeBytes).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a long upload is stopped when the disk becomes full, and the bytes received until then are passed on", async () => {
  const disk = new Disk({ dataDir: tmpdir(), diskFloorBytes: 100 * MEGABYTE });
  let freeBytes = 140 * MEGABYTE;
  disk.measure = async () => ({ totalBytes: 1000 * MEGABYTE, freeBytes });
  async function* pieces() {
    const piece = Buffer.alloc(4 * MEGABYTE);
    for (;;) {
      yield piece;
      freeBytes -= piece.length;
    }
  }
  let passed = 0;
  const upload = async () => {
    for await (const piece of writeWithFreeSpace(disk, pieces())) passed += piece.length;
  };
  await expect(upload()).rejects.toMatchObject({ status: 507, code: "no_space" });
  expect(passed).toBeGreaterThanOrEqual(32 * MEGABYTE);
  expect(passed).toBeLessThanOrEqual(56 * MEGABYTE);
});
