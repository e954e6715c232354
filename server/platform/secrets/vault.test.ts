import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createVault, keptMasterKeys, type SecretPlace, VaultError } from "./vault.ts";

const PLACE: SecretPlace = { table: "integrations", tenant: "org-1", row: "row-1", column: "credentials" };
const SECRET = "1234567:токен бота \u{1f511}";
const first = randomBytes(32);
const second = randomBytes(32);
const vault = createVault({ current: 1, keys: new Map([[1, first]]) });

test("what is derived is the same each time for one purpose and key, and another for any other", () => {
  const other = createVault({ current: 2, keys: new Map([[2, second]]) });
  expect(vault.derive("a code")).toEqual(createVault({ current: 1, keys: new Map([[1, first]]) }).derive("a code"));
  const all = [vault.derive("a code"), vault.derive("another"), other.derive("a code"), first];
  expect(new Set(all.map((bytes) => bytes.toString("hex"))).size).toBe(all.length);
});

describe("a sealed value", () => {
  test("opens at its own place and reveals nothing of the secret", () => {
    const sealed = vault.seal(PLACE, SECRET);
    expect(vault.open(PLACE, sealed)).toBe(SECRET);
    expect(sealed.includes(Buffer.from("1234567"))).toBe(false);
    expect(vault.open(PLACE, vault.seal(PLACE, ""))).toBe("");
    const long = "ж".repeat(1_000_000);
    expect(vault.open(PLACE, vault.seal(PLACE, long))).toBe(long);
  });

  test("is different each time", () => {
    const sealed = new Set(Array.from({ length: 100 }, () => vault.seal(PLACE, SECRET).toString("base64")));
    expect(sealed.size).toBe(100);
  });

  test("does not open when any byte is changed, removed or added", () => {
    const sealed = vault.seal(PLACE, SECRET);
    for (let at = 0; at < sealed.length; at++) {
      const damaged = Buffer.from(sealed);
      damaged[at]! ^= 1;
      expect(() => vault.open(PLACE, damaged), `byte ${at}`).toThrow(VaultError);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.open(PLACE, sealed.subarray(0, length)), `length ${length}`).toThrow(VaultError);
    }
    expect(() => vault.open(PLACE, Buffer.concat([sealed, Buffer.from([0])]))).toThrow(VaultError);
  });

  test.each([
    { table: "imports" },
    { tenant: "org-2" },
    { row: "row-2" },
    { column: "webhook_secret" },
    { table: 'integrations","org-1', tenant: "" },
    { row: "row-1credentials", column: "" },
  ])("does not open at another place: %o", (change) => {
    const sealed = vault.seal(PLACE, SECRET);
    expect(() => vault.open({ ...PLACE, ...change }, sealed)).toThrow(VaultError);
  });

  test("cannot be opened with the data key of another row's value", () => {
    const other = { ...PLACE, row: "row-2" };
    const [mine, theirs] = [vault.seal(PLACE, SECRET), vault.seal(other, "чужое")];
    const mixed = Buffer.concat([mine.subarray(0, 65), theirs.subarray(65)]);
    expect(() => vault.open(PLACE, mixed)).toThrow(VaultError);
    expect(() => vault.open(other, mixed)).toThrow(VaultError);
  });

  test("does not open with another master key, and the error contains no secret", () => {
    const sealed = vault.seal(PLACE, SECRET);
    const foreign = createVault({ current: 1, keys: new Map([[1, second]]) });
    expect(() => foreign.open(PLACE, sealed)).toThrow(VaultError);
    try {
      foreign.open(PLACE, sealed);
    } catch (error) {
      expect(String(error)).not.toContain("org-1");
      expect(String(error)).not.toContain(second.toString("base64"));
    }
  });
});

describe("a new master key", () => {
  const both = createVault({
    current: 2,
    keys: new Map([
      [1, first],
      [2, second],
    ]),
  });
  const newOnly = createVault({ current: 2, keys: new Map([[2, second]]) });

  test("seals new values while the old key still opens old ones", () => {
    const old = vault.seal(PLACE, SECRET);
    expect(both.open(PLACE, old)).toBe(SECRET);
    expect(newOnly.open(PLACE, both.seal(PLACE, SECRET))).toBe(SECRET);
    expect(() => newOnly.open(PLACE, old)).toThrow("version 1");
  });

  test("rewraps a value without decrypting it, and rewrapping again changes nothing", () => {
    const old = vault.seal(PLACE, SECRET);
    const moved = both.rewrap(PLACE, old);
    expect(newOnly.open(PLACE, moved)).toBe(SECRET);
    expect(moved.subarray(65)).toEqual(old.subarray(65));
    expect(both.rewrap(PLACE, moved)).toBe(moved);
    expect(() => both.rewrap({ ...PLACE, row: "row-2" }, old)).toThrow(VaultError);
  });

  test("a version number cannot be exchanged for another one's key", () => {
    const sealed = both.seal(PLACE, SECRET);
    sealed.writeUInt32BE(1, 1);
    expect(() => both.open(PLACE, sealed)).toThrow(VaultError);
  });

  test("invalid keys are refused when the vault is created", () => {
    expect(() => createVault({ current: 1, keys: new Map() })).toThrow();
    expect(() => createVault({ current: 1, keys: new Map([[1, Buffer.alloc(31)]]) })).toThrow();
    expect(() => createVault({ current: 2, keys: new Map([[1, first]]) })).toThrow();
  });
});

describe("the key in the data folder", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "dt-vault-"));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  test("is created once, readable only by its OS user, and found again", () => {
    const [key, ...others] = keptMasterKeys(dataDir);
    expect(key).toHaveLength(32);
    expect(others).toEqual([]);
    expect(keptMasterKeys(dataDir)).toEqual([key]);
    expect(readdirSync(dataDir)).toEqual(["master.key"]);
    expect(statSync(join(dataDir, "master.key")).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(join(dataDir, "master.key"), "utf8"), "base64")).toEqual(key);
  });

  test("loses permissions for other OS users", () => {
    keptMasterKeys(dataDir);
    chmodSync(join(dataDir, "master.key"), 0o644);
    keptMasterKeys(dataDir);
    expect(statSync(join(dataDir, "master.key")).mode & 0o777).toBe(0o600);
  });

  test("is not replaced when damaged, because that would lose every secret", () => {
    writeFileSync(join(dataDir, "master.key"), "не ключ\n");
    expect(() => keptMasterKeys(dataDir)).toThrow(/master\.key.*MASTER_KEY/s);
    expect(readFileSync(join(dataDir, "master.key"), "utf8")).toBe("не ключ\n");
  });
});
