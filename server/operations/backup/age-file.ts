/** Encrypts and decrypts a backup: zstd inside the age format (age-encryption.org/v1), with a passphrase or to a public key. */
import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import type { BackupConfig } from "#server/platform/config.ts";
import { damagedBackup, type Entry, packEntries, unpackEntries } from "./archive.ts";
import { BackupError } from "./backup-error.ts";

type Keys = Pick<BackupConfig, "passphrase" | "recipient" | "identity">;

/** A passphrase, a private key, or both. */
export interface DecryptionKey {
  addTo(decrypter: Decrypter): void;
}

/** Returns the key that the settings name. @throws BackupError when they name none */
export function decryptionKeyOf({ passphrase, identity }: Keys): DecryptionKey {
  if (passphrase === null && identity === null) {
    throw new BackupError(
      "Чем открыть копию, не задано: нужна BACKUP_PASSPHRASE или, если копия сделана для открытого ключа, BACKUP_IDENTITY.",
    );
  }
  return {
    addTo(decrypter) {
      if (passphrase !== null) decrypter.addPassphrase(passphrase);
      if (identity !== null) decrypter.addIdentity(identity);
    },
  };
}

export interface EncryptedBackup {
  bytes: AsyncIterable<Uint8Array>;
  /** Decrypts this file, even one encrypted only to a public key: an ephemeral second key of this process is among its recipients. */
  decryptionKey: DecryptionKey;
}

/** @throws BackupError when the settings name no key */
export async function encryptBackup(
  entries: AsyncIterable<Entry>,
  { passphrase, recipient }: Keys,
): Promise<EncryptedBackup> {
  const encrypter = new Encrypter();
  let decryptionKey: DecryptionKey;
  if (recipient !== null) {
    const identity = await generateX25519Identity();
    encrypter.addRecipient(recipient);
    encrypter.addRecipient(await identityToRecipient(identity));
    decryptionKey = { addTo: (decrypter) => decrypter.addIdentity(identity) };
  } else if (passphrase !== null) {
    encrypter.setPassphrase(passphrase);
    decryptionKey = { addTo: (decrypter) => decrypter.addPassphrase(passphrase) };
  } else {
    throw new BackupError("Чем шифровать копию, не задано: задайте BACKUP_PASSPHRASE или BACKUP_RECIPIENT.");
  }
  const compressor = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } });
  const plain = pipeline(Readable.from(packEntries(entries), { objectMode: false }), compressor, () => {});
  return { bytes: fromWeb(await encrypter.encrypt(toWeb(plain))), decryptionKey };
}

/** Yields the entries of a backup. @throws BackupError for a wrong key and for a damaged or truncated file */
export async function* readBackupEntries(path: string, decryptionKey: DecryptionKey): AsyncGenerator<Entry> {
  const file = createReadStream(path);
  try {
    yield* unpackEntries(await opened(file, decryptionKey));
  } catch (error) {
    throw error instanceof BackupError || isSystemError(error) ? error : damagedBackup(error);
  } finally {
    file.destroy();
  }
}

async function opened(file: Readable, decryptionKey: DecryptionKey): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter();
  decryptionKey.addTo(decrypter);
  // typage throws plain errors that differ only in their messages.
  const plain = await decrypter.decrypt(toWeb(file)).catch((error: Error) => {
    if (isSystemError(error)) throw error;
    if (/no identity matched/.test(error.message)) {
      throw new BackupError("Фраза или ключ не подходят к этому файлу.", { cause: error });
    }
    if (/invalid version|invalid non-ASCII|file is too short|invalid header/.test(error.message)) {
      throw new BackupError("Это не резервная копия: файл начинается не так.", { cause: error });
    }
    throw damagedBackup(error);
  });
  return pipeline(Readable.fromWeb(plain as WebStream<Uint8Array>), createZstdDecompress(), () => {});
}

const isSystemError = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && typeof error.syscall === "string";

const toWeb = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
const fromWeb = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as WebStream<Uint8Array>);
