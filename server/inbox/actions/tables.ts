/** Tables that are read before their columns are chosen; one that no tool uses is deleted after a day. */
import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type * as z from "zod/mini";
import type { ToolTable } from "#contract/actions/tool-settings.ts";
import type { TableInputFile } from "#contract/actions/tools.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { requirePublicAddress } from "#server/answers/tools/refused-input.ts";
import { openProxy, sealProxy, shownProxy } from "#server/answers/tools/stored-proxy.ts";
import { readTableAt, readTableFile } from "#server/answers/tools/table-reader.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { toolTables } from "#server/platform/db/schema/tools.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import type { ToolDeps } from "./tool-deps.ts";

const SAMPLE_ROWS = 5;
/** Tables of a twin that no tool uses; older ones are deleted when another is read. */
const MOST_UNUSED = 5;

/** @throws Problem 404, 403, 400; 413, 422 for what is no table */
export async function readTable(
  deps: ToolDeps,
  caller: Caller,
  { twinId, name, content, url, proxy: entered, formerId }: z.output<typeof TableInputFile>,
): Promise<ToolTable> {
  const former = await asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    if (formerId === undefined) return null;
    const [row] = await tx
      .select({ id: toolTables.id, orgId: toolTables.orgId, proxy: toolTables.proxy })
      .from(toolTables)
      .where(and(eq(toolTables.id, formerId), eq(toolTables.twinId, twinId)));
    return row ?? null;
  });
  const { loopbackAddresses: loopback } = deps.config;
  const address = url === undefined ? null : requirePublicAddress(url, loopback);
  const { organizationId: orgId } = caller;
  const kept = former === null || entered !== undefined ? null : openProxy(deps.vault, "tool_tables", former);
  const proxy = address === null ? null : (kept ?? (await enteredProxy(caller, entered)));
  const { columns, rows, contentHash } =
    address === null
      ? await readTableFile(orgId, name!, Buffer.from(content!, "base64"))
      : await readTableAt(orgId, address, { loopback, proxy });
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const unused = await tx
      .select({ id: toolTables.id })
      .from(toolTables)
      .where(and(eq(toolTables.twinId, twinId), isNull(toolTables.toolId)))
      .orderBy(desc(toolTables.createdAt));
    const old = unused.slice(MOST_UNUSED - 1).map(({ id }) => id);
    if (old.length > 0) await tx.delete(toolTables).where(inArray(toolTables.id, old));
    const place = { id: randomUUID(), orgId };
    const [row] = await tx
      .insert(toolTables)
      .values({
        ...{ ...place, twinId, proxy: sealProxy(deps.vault, "tool_tables", place, proxy) },
        ...{ name: address?.host ?? basename(name!), url: address?.href ?? null },
        ...{ columns, rows: JSON.stringify(rows), rowCount: rows.length, contentHash },
      })
      .returning();
    return toTable(deps, row!, rows.slice(0, SAMPLE_ROWS));
  });
}

type Shown = Pick<
  typeof toolTables.$inferSelect,
  "id" | "orgId" | "name" | "url" | "proxy" | "columns" | "rowCount" | "readAt" | "failure"
>;

export const toTable = (
  { vault }: Pick<ToolDeps, "vault">,
  { id, orgId, name, url, proxy, columns, rowCount, readAt, failure }: Shown,
  sample: string[][],
): ToolTable => ({
  ...{
    id,
    name,
    url,
    proxy: shownProxy(vault, "tool_tables", { id, orgId, proxy }),
    columns,
    rows: rowCount,
    sample,
    readAt: readAt.toISOString(),
    failure,
  },
});
