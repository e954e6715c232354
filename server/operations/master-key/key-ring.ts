/**
 * Numbers the master keys: each encrypted value begins with the number of its key (platform/secrets/vault.ts). The database stores the
 * numbers with the keys' fingerprints. The keys themselves are in the environment or beside the embedded database.
 */
import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Config } from "#server/platform/config.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { masterKeys } from "#server/platform/db/schema/platform.ts";
import { UnknownMasterKey } from "#server/platform/secrets/unknown-master-key.ts";
import { keptMasterKeys, type MasterKeys } from "#server/platform/secrets/vault.ts";

type KeyConfig = Pick<Config, "masterKey" | "otherMasterKeys" | "dataDir">;

/** Returns the configured keys; the first one encrypts new values. */
export function configuredKeys({ masterKey, otherMasterKeys, dataDir }: KeyConfig): Buffer[] {
  return masterKey === null ? keptMasterKeys(dataDir) : [masterKey, ...otherMasterKeys];
}

/** Returns the configured keys with their numbers; a new key gets the next number. @throws UnknownMasterKey */
export function openKeyRing(db: Database, config: KeyConfig): Promise<MasterKeys> {
  const keys = configuredKeys(config);
  return db.transaction(async (tx) => {
    // Two servers that start at the same time must give a key the same number.
    await tx.execute(sql`select pg_advisory_xact_lock(727460003)`);
    const known = new Map(
      (await tx.select().from(masterKeys)).map(({ fingerprint, version }) => [fingerprint, version]),
    );
    if (known.size > 0 && !keys.some((key) => known.has(fingerprintOf(key)))) {
      throw new UnknownMasterKey();
    }
    const ring = new Map<number, Buffer>();
    // The oldest key comes first: in a database without numbers it encrypted the earlier values, which count as number one.
    for (const key of keys.toReversed()) ring.set(known.get(fingerprintOf(key)) ?? (await register(tx, key)), key);
    return { current: versionOf(ring, keys[0]!), keys: ring };
  });
}

async function register(tx: Tx, key: Buffer): Promise<number> {
  const [row] = await tx
    .insert(masterKeys)
    .values({
      version: sql`(select coalesce(max(version), 0) + 1 from ${masterKeys})`,
      fingerprint: fingerprintOf(key),
    })
    .returning({ version: masterKeys.version });
  return row!.version;
}

const versionOf = (ring: ReadonlyMap<number, Buffer>, key: Buffer): number =>
  [...ring].find(([, one]) => one.equals(key))![0];

/** Returns a fingerprint that distinguishes keys and reveals nothing about them. */
const fingerprintOf = (key: Buffer): string =>
  createHmac("sha256", key).update("digital-twins master key").digest("hex").slice(0, 32);
