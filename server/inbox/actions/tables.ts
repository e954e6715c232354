/** Tables that are read before their columns are chosen; one that no tool uses is deleted after a day. */
import { basename } from "node:path";
import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type * as z from "zod/mini";
import type { ToolTable } from "#contract/actions/tool-settings.ts";
import type { TableInputFile } from "#contract/actions/tools.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { requirePublicAddress } from "#server/answers/tools/refused-input.ts";
import { readTableAt, readTableFile } from "#server/answers/tools/table-reader.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { toolTables } from "#server/platform/db/schema/tools.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { ToolDeps } from "./tool-deps.ts";

const SAMPLE_ROWS = 5;
/** Tables of a twin that no tool uses; older ones are deleted when another is read. */
const MOST_UNUSED = 5;

/** @throws Problem 404, 403, 400; 413, 415, 422 for what is no table */
export async function readTable(
  deps: ToolDeps,
  caller: Caller,
  { twinId, name, content, url }: z.output<typeof TableInputFile>,
): Promise<ToolTable> {
  await asTenant(deps.db, caller, (tx) => getChangeableTwin(tx, caller, twinId));
  const { loopbackAddresses: loopback } = deps.config;
  const address = url === undefined ? null : requirePublicAddress(url, loopback);
  const { organizationId: orgId } = caller;
  const { columns, rows, contentHash } =
    address === null
      ? await readTableFile(orgId, name!, Buffer.from(content!, "base64"))
      : await readTableAt(orgId, address, loopback);
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const unused = await tx
      .select({ id: toolTables.id })
      .from(toolTables)
      .where(and(eq(toolTables.twinId, twinId), isNull(toolTables.toolId)))
      .orderBy(desc(toolTables.createdAt));
    const old = unused.slice(MOST_UNUSED - 1).map(({ id }) => id);
    if (old.length > 0) await tx.delete(toolTables).where(inArray(toolTables.id, old));
    const [row] = await tx
      .insert(toolTables)
      .values({
        ...{ orgId, twinId, name: address?.host ?? basename(name!), url: address?.href ?? null },
        ...{ columns, rows: JSON.stringify(rows), rowCount: rows.length, contentHash },
      })
      .returning();
    return toTable(row!, rows.slice(0, SAMPLE_ROWS));
  });
}

type Shown = Pick<
  typeof toolTables.$inferSelect,
  "id" | "name" | "url" | "columns" | "rowCount" | "readAt" | "failure"
>;

export const toTable = (
  { id, name, url, columns, rowCount, readAt, failure }: Shown,
  sample: string[][],
): ToolTable => ({
  ...{ id, name, url, columns, rows: rowCount, sample, readAt: readAt.toISOString(), failure },
});
