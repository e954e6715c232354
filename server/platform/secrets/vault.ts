/**
 * Secrets at rest: envelope encryption. Each value has a data key of its own (AES-256-GCM), wrapped by a master key (AES-256-GCM) whose
 * version precedes it, so that a change of the master key only rewraps data keys. Both layers are bound to the value's place: a ciphertext
 * copied to another row, column or tenant does not decrypt.
 *
 * Layout: format 1 (1 byte) · master key version (4, big endian) · wrapped data key (12 nonce, 32, 16 tag) · 12 nonce · ciphertext · 16
 * tag. Nonces are random (NIST SP 800-38D 8.2.2); a data key encrypts one value once.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface SecretPlace {
  table: string;
  tenant: string;
  row: string;
  column: string;
}

/** A value cannot be decrypted: it is damaged, from another place, or encrypted with a missing master key. The error contains no secret. */
export class VaultError extends Error {}

export interface MasterKeys {
  /** Version of the key that encrypts new values. */
  current: number;
  /** 32 bytes each, by version. */
  keys: ReadonlyMap<number, Buffer>;
}

export interface Vault {
  seal(place: SecretPlace, secret: string): Buffer;
  /** @throws VaultError */
  open(place: SecretPlace, sealed: Buffer): string;
  /** Rewraps a value under the current master key; returns `sealed` itself if it is current already. @throws VaultError */
  rewrap(place: SecretPlace, sealed: Buffer): Buffer;
  /** Derives 32 bytes that only a holder of the current master key can derive, the same each time for one purpose. */
  derive(purpose: string): Buffer;
}

const FORMAT = 1;
const KEY = 32;
const NONCE = 12;
const TAG = 16;
const WRAPPED_AT = 5;
const VALUE_AT = WRAPPED_AT + NONCE + KEY + TAG;

/** @throws Error when a key is not 32 bytes long or the current one is missing */
export function createVault({ current, keys }: MasterKeys): Vault {
  for (const [version, key] of keys) {
    if (key.length !== KEY || !Number.isInteger(version) || version < 1 || version > 0xffff_ffff) {
      throw new Error("A master key has 32 bytes and a version from 1");
    }
  }
  if (!keys.has(current)) throw new Error(`There is no master key of version ${current}`);

  const wrap = (place: SecretPlace, dataKey: Buffer): Buffer => {
    const head = Buffer.alloc(WRAPPED_AT);
    head.writeUInt8(FORMAT, 0);
    head.writeUInt32BE(current, 1);
    return Buffer.concat([head, encrypt(keys.get(current)!, aad(place, "key", current), dataKey)]);
  };

  const unwrap = (place: SecretPlace, sealed: Buffer): Buffer => {
    if (sealed.length < VALUE_AT + NONCE + TAG || sealed.readUInt8(0) !== FORMAT) {
      throw new VaultError("The value is not sealed in a known format");
    }
    const version = sealed.readUInt32BE(1);
    const key = keys.get(version);
    if (key === undefined) throw new VaultError(`The master key of version ${version} is not here`);
    return decrypt(key, aad(place, "key", version), sealed.subarray(WRAPPED_AT, VALUE_AT));
  };

  return {
    seal(place, secret) {
      const dataKey = randomBytes(KEY);
      return Buffer.concat([wrap(place, dataKey), encrypt(dataKey, aad(place, "value"), Buffer.from(secret))]);
    },
    open(place, sealed) {
      const dataKey = unwrap(place, sealed);
      return decrypt(dataKey, aad(place, "value"), sealed.subarray(VALUE_AT)).toString();
    },
    rewrap(place, sealed) {
      const dataKey = unwrap(place, sealed);
      if (sealed.readUInt32BE(1) === current) return sealed;
      return Buffer.concat([wrap(place, dataKey), sealed.subarray(VALUE_AT)]);
    },
    derive: (purpose) => Buffer.from(hkdfSync("sha256", keys.get(current)!, "", purpose, KEY)),
  };
}

/** Additional authenticated data. It is JSON instead of joined text, so that different places never yield the same bytes. */
const aad = ({ table, tenant, row, column }: SecretPlace, layer: "key" | "value", version?: number): Buffer =>
  Buffer.from(JSON.stringify([layer, version ?? null, table, tenant, row, column]));

function encrypt(key: Buffer, data: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG }).setAAD(data);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, data: Buffer, sealed: Buffer): Buffer {
  const tagAt = sealed.length - TAG;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(data)
    .setAuthTag(sealed.subarray(tagAt));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, tagAt)), decipher.final()]);
  } catch (cause) {
    throw new VaultError("The value is damaged, belongs elsewhere or to another master key", { cause });
  }
}

/**
 * Returns the master keys of an embedded database: 32 bytes as base64 per line in `dataDir/master.key`, the current one first; several
 * during a change of the key. The first start creates the file, readable by its owner alone, and always completely or not at all. The
 * caller holds the folder's lock.
 * @throws Error in Russian when the file exists without a key: a new key would make every secret unreadable
 */
export function keptMasterKeys(dataDir: string): Buffer[] {
  const file = keyFile(dataDir);
  const known = readKeys(file);
  if (known !== null) return known;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeKeys(file, [randomBytes(KEY)]);
  return readKeys(file)!;
}

/** Adds a new key before the known one, unless a key change is in progress already. The caller must hold the folder's lock. */
export function addMasterKey(dataDir: string): void {
  const known = keptMasterKeys(dataDir);
  if (known.length === 1) writeKeys(keyFile(dataDir), [randomBytes(KEY), ...known]);
}

/** Removes all keys but the current one, once no value is encrypted with the others. */
export function dropOtherMasterKeys(dataDir: string): void {
  writeKeys(keyFile(dataDir), keptMasterKeys(dataDir).slice(0, 1));
}

/** Replaces all stored keys with these, the current one first. The caller must hold the folder's lock. */
export function replaceMasterKeys(dataDir: string, keys: readonly Buffer[]): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeKeys(keyFile(dataDir), keys);
}

const keyFile = (dataDir: string): string => join(dataDir, "master.key");

function writeKeys(file: string, keys: readonly Buffer[]): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, "w", 0o600);
  try {
    writeSync(handle, keys.map((key) => `${key.toString("base64")}\n`).join(""));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
}

function readKeys(file: string): Buffer[] | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const keys = text
    .trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, "base64"));
  if (keys.some((key) => key.length !== KEY)) {
    throw new Error(
      `В файле ${file} нет ключа (32 байта в base64). Верните его из резервной копии или задайте MASTER_KEY.`,
    );
  }
  chmodSync(file, 0o600);
  return keys;
}
