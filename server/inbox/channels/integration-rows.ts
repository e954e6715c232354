/** Loads rows of integrations as a caller may see them, without credentials. */
import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { canChange } from "#server/accounts/organizations/access.ts";
import { type LastReading, lastReading } from "#server/knowledge/knowledge-base/last-reading.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations, setAsideEvents } from "#server/platform/db/schema/channels.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

const { credentials: _sealed, ...shownColumns } = getTableColumns(integrations);
const setAside = sql<number>`(
  (select count(*) from ${setAsideEvents} where ${setAsideEvents.integrationId} = ${integrations.id})
  + (select count(*) from ${inboxEvents} where ${inboxEvents.integrationId} = ${integrations.id}
    and ${inboxEvents.status} = 'failed'))::int`;
const shown = { ...shownColumns, twinName: twins.name, ownerId: twins.ownerId, setAside };

/** Selects rows as screens show them; the caller narrows the query with `where`. */
export const shownRows = (tx: Tx) => {
  const last = lastReading(tx);
  return tx
    .select({ ...shown, last: { status: last.status, error: last.error } })
    .from(integrations)
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .leftJoinLateral(last, sql`true`);
};

/** An integration without its credentials, with the columns of its twin for lists and access checks. */
export type IntegrationRow = Omit<typeof integrations.$inferSelect, "credentials"> & {
  twinName: string;
  ownerId: string;
  setAside: number;
  last: LastReading | null;
};

/** Returns the integration with this id in the caller's organisation. @throws Problem 404 */
export async function getIntegrationRow(tx: Tx, caller: Caller, id: string): Promise<IntegrationRow> {
  const [row] = await shownRows(tx).where(and(eq(integrations.id, id), eq(integrations.orgId, caller.organizationId)));
  if (row === undefined) throw integrationNotFound();
  return row;
}

const integrationNotFound = () => notFound("Интеграция не найдена", "integration_not_found");

/** Returns it for a caller who is about to change or use it. @throws Problem 404; 403 for a member who may only read its twin */
export async function getChangeableIntegration(tx: Tx, caller: Caller, id: string): Promise<IntegrationRow> {
  const row = await getIntegrationRow(tx, caller, id);
  canChange(caller, row);
  return row;
}

/** Returns it for the twin's owner alone, because other members may not see with whom he talks. @throws Problem 404, 403 */
export async function getOwnIntegration(tx: Tx, caller: Caller, id: string): Promise<IntegrationRow> {
  const row = await getIntegrationRow(tx, caller, id);
  if (row.ownerId !== caller.userId) throw integrationNotFound();
  canChange(caller, row);
  return row;
}

/** SQL condition: the active integration whose credentials a platform just refused, unless the owner has replaced them meanwhile. */
export const refusedIntegration = (id: string, credentials: Buffer): SQL | undefined =>
  and(eq(integrations.id, id), eq(integrations.status, "active"), eq(integrations.credentials, credentials));
