/** Stores what a channel's client must keep between connections, such as session keys; each row is encrypted. */
import { and, eq, inArray, sql } from "drizzle-orm";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { channelState } from "#server/platform/db/schema/channels.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

/** Entries of one integration; only its channel knows the format of the values. */
export interface ChannelState {
  /** @throws VaultError */
  load(): Promise<Map<string, string>>;
  /** null removes an entry. */
  save(changes: ReadonlyMap<string, string | null>): Promise<void>;
}

interface Place extends Tenant {
  integrationId: string;
}

const sealedAt = ({ organizationId, integrationId }: Place, key: string) => ({
  table: "channel_state",
  tenant: organizationId,
  row: `${integrationId}:${key}`,
  column: "value",
});

export function channelStateOf(db: Database, vault: Vault, place: Place): ChannelState {
  return {
    async load() {
      const rows = await asTenant(db, place, (tx) =>
        tx
          .select({ key: channelState.key, value: channelState.value })
          .from(channelState)
          .where(eq(channelState.integrationId, place.integrationId)),
      );
      return new Map(rows.map(({ key, value }) => [key, vault.open(sealedAt(place, key), value)]));
    },
    save: (changes) => asTenant(db, place, (tx) => saveState(tx, vault, place, changes)),
  };
}

/** Loads one entry. @throws VaultError */
export async function loadEntry(tx: Tx, vault: Vault, place: Place, key: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ value: channelState.value })
    .from(channelState)
    .where(and(eq(channelState.integrationId, place.integrationId), eq(channelState.key, key)));
  return row === undefined ? undefined : vault.open(sealedAt(place, key), row.value);
}

export async function saveState(
  tx: Tx,
  vault: Vault,
  place: Place,
  changes: ReadonlyMap<string, string | null>,
): Promise<void> {
  const { organizationId: orgId, integrationId } = place;
  const gone = [...changes].filter(([, value]) => value === null).map(([key]) => key);
  if (gone.length > 0) {
    await tx
      .delete(channelState)
      .where(and(eq(channelState.integrationId, integrationId), inArray(channelState.key, gone)));
  }
  const kept = [...changes].flatMap(([key, value]) =>
    value === null ? [] : [{ orgId, integrationId, key, value: vault.seal(sealedAt(place, key), value) }],
  );
  if (kept.length === 0) return;
  await tx
    .insert(channelState)
    .values(kept)
    .onConflictDoUpdate({
      target: [channelState.integrationId, channelState.key],
      set: { value: sql`excluded.value` },
    });
}

/** Deletes the state of the previous session, because a new session cannot use it. */
export async function forgetState(tx: Tx, integrationId: string): Promise<void> {
  await tx.delete(channelState).where(eq(channelState.integrationId, integrationId));
}
