/**
 * Handles unparsable deliveries. A platform resends one again and again, and some send nothing else meanwhile. After a few times it is set
 * aside for the owner and acknowledged.
 */
import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import { asTenant, type Database, isDatabaseAway } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { Problem } from "#server/platform/errors.ts";
import { MAX_READ_ATTEMPTS } from "./attempts.ts";
import type { ReceivingIntegration } from "./receiving-integration.ts";
import { setAside } from "./set-aside-events.ts";

/** Number of failed deliveries counted per integration. More fail only when everything fails, and then counting restarts. */
const REMEMBERED = 100;

/**
 * Runs `take`. The number of failures of a delivery is stored with its integration, so a restart or another process continues counting.
 * @throws errors of `take`, as long as the delivery may come again
 */
export async function guardDelivery(
  db: Database,
  integration: ReceivingIntegration,
  { raw, body }: { raw: Buffer; body: unknown },
  take: () => Promise<void>,
): Promise<void> {
  try {
    await take();
  } catch (error) {
    if (error instanceof Problem || error instanceof ChannelTrouble || isDatabaseAway(error)) throw error;
    const name = `delivery ${createHash("sha256").update(integration.id).update(raw).digest("hex").slice(0, 32)}`;
    if ((await countFailure(db, integration, name)) < MAX_READ_ATTEMPTS) throw error;
    await setAside(db, integration, { name, title: "Сообщение", reason: "Его не удалось прочитать", raw: body });
    await asTenant(db, integration, (tx) =>
      tx
        .update(integrations)
        .set({ failedDeliveries: sql`${integrations.failedDeliveries} - ${name}::text` })
        .where(eq(integrations.id, integration.id)),
    );
  }
}

/** @returns the number of failures including this one */
async function countFailure(db: Database, integration: ReceivingIntegration, name: string): Promise<number> {
  const kept = sql`case when (select count(*) from jsonb_object_keys(${integrations.failedDeliveries})) < ${REMEMBERED}
    then ${integrations.failedDeliveries} else '{}'::jsonb end`;
  const times = sql`coalesce((${integrations.failedDeliveries} ->> ${name}::text)::int, 0) + 1`;
  const [row] = await asTenant(db, integration, (tx) =>
    tx
      .update(integrations)
      .set({ failedDeliveries: sql`${kept} || jsonb_build_object(${name}::text, ${times})` })
      .where(eq(integrations.id, integration.id))
      .returning({ failures: integrations.failedDeliveries }),
  );
  return row?.failures[name] ?? 1;
}
