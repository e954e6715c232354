/** The installation's key pair, created at first use and shared by all its processes. */
import type { Database } from "#server/platform/db/database.ts";
import { pushKeys } from "#server/platform/db/schema/accounts.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { makeVapidKeys, type VapidKeys } from "./web-push/vapid.ts";

const PLACE = { table: "push_keys", tenant: "platform", row: "1", column: "private_key" };

export async function readPushKeys(db: Database, vault: Vault): Promise<VapidKeys> {
  const known = await stored(db);
  if (known !== undefined) return opened(known, vault);
  const made = makeVapidKeys();
  const row = { publicKey: made.publicKey, privateKey: vault.seal(PLACE, made.privateKey) };
  // Another process may have stored its key first; browsers subscribe with the stored one.
  await db.insert(pushKeys).values(row).onConflictDoNothing();
  return opened((await stored(db))!, vault);
}

async function stored(db: Database) {
  const [row] = await db.select().from(pushKeys);
  return row;
}

const opened = ({ publicKey, privateKey }: typeof pushKeys.$inferSelect, vault: Vault): VapidKeys => ({
  publicKey,
  privateKey: vault.open(PLACE, privateKey),
});
