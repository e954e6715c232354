import { expect, test } from "vitest";
import { AccountStorage } from "./storage.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

function storageOf(entries: [string, string][] = []) {
  const writes: [string, string | null][][] = [];
  const failures: Error[] = [];
  const storage = new AccountStorage(new Map(entries), async (changes) => {
    const failure = failures.shift();
    if (failure) throw failure;
    writes.push([...changes]);
  });
  return { storage, writes, failures };
}

test("a session's key is stored at once, and what is read again is what was stored", async () => {
  const { storage, writes } = storageOf();
  storage.kv.set("self", bytes(1));
  await storage.authKeys.set(2, bytes(1, 2, 3));
  expect(writes).toEqual([
    [
      ["kv:self", "AQ=="],
      ["key:2", "AQID"],
    ],
  ]);
  const again = new AccountStorage(new Map(storage.entries()), async () => {});
  expect(again.authKeys.get(2)).toEqual(bytes(1, 2, 3));
  expect(again.kv.get("self")).toEqual(bytes(1));
  expect(again.kv.get("other")).toBeNull();
});

test("what is stored already is not written again", async () => {
  const { storage, writes } = storageOf([["key:2", "AQID"]]);
  await storage.authKeys.set(2, bytes(1, 2, 3));
  await storage.authKeys.set(4, null);
  await storage.driver.save();
  expect(writes).toEqual([]);
});

test("a temporary key holds until it expires, and goes with its data centre", async () => {
  const { storage, writes } = storageOf();
  await storage.authKeys.setTemp(2, 0, bytes(7), 100);
  await storage.authKeys.setTemp(4, 0, bytes(8), 100);
  await storage.authKeys.setTemp(4, 0, null, 0);
  await storage.authKeys.set(2, bytes(9));
  expect(storage.authKeys.getTemp(2, 0, 99)).toEqual(bytes(7));
  expect(storage.authKeys.getTemp(2, 0, 100)).toBeNull();
  expect(storage.authKeys.getTemp(4, 0, 0)).toBeNull();
  await storage.authKeys.deleteByDc(2);
  expect(storage.entries()).toEqual([]);
  expect(writes.at(-1)).toEqual([
    ["temporary:2:0", null],
    ["key:2", null],
  ]);
});

test("people are found by their id alone, and signing out forgets keys, people and entries", async () => {
  const { storage } = storageOf();
  const peer = { id: 700, accessHash: "1", usernames: ["ivan"], updated: 1, complete: bytes(1) };
  storage.peers.store(peer as Parameters<typeof storage.peers.store>[0]);
  storage.kv.set("self", bytes(1));
  await storage.authKeys.set(2, bytes(1));
  expect(storage.peers.getById(700)).toMatchObject({ accessHash: "1", complete: bytes(1) });
  expect(storage.peers.getById(701)).toBeNull();
  expect([storage.peers.getByUsername(), storage.peers.getByPhone()]).toEqual([null, null]);
  storage.kv.delete("self");
  storage.kv.deleteAll();
  storage.peers.deleteAll();
  await storage.authKeys.deleteAll();
  expect(storage.entries()).toEqual([]);
});

test("changes that could not be written are written with the next ones, a later value of the same entry alone", async () => {
  const { storage, writes, failures } = storageOf();
  failures.push(new Error("database away"));
  storage.kv.set("a", bytes(1));
  storage.kv.set("b", bytes(1));
  await expect(storage.driver.save()).rejects.toThrow("database away");
  storage.kv.set("b", bytes(2));
  await storage.driver.destroy();
  expect(writes).toEqual([
    [
      ["kv:a", "AQ=="],
      ["kv:b", "Ag=="],
    ],
  ]);
});
