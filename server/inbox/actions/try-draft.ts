/** «Проверить» before a tool is saved: nothing of it is stored, but a real call of what changes something is an act as any other. */

import { randomUUID } from "node:crypto";
import type * as z from "zod/mini";
import type { DraftTrialInput } from "#contract/actions/tool-draft.ts";
import type { ToolTrial } from "#contract/actions/tools.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { asTenant } from "#server/platform/db/database.ts";
import type { ToolRow } from "#server/platform/db/schema/tools.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { columnsOf, getChangeableTool, keptProxy, proxyIn, requireSound, sealed, toolNotFound } from "./tools.ts";
import { runTrial } from "./try-tool.ts";

/** @throws Problem 404, 403; 400 for an impossible tool or a sample that lacks something */
export async function tryDraftTool(
  deps: ToolDeps,
  caller: Caller,
  { twinId, toolId, tool: input, ...sample }: z.output<typeof DraftTrialInput>,
): Promise<ToolTrial> {
  requireSound(deps, input);
  const entered = await enteredProxy(caller, proxyIn(input));
  const savedId = toolId ?? null;
  const place = { id: randomUUID(), orgId: caller.organizationId };
  const tool = await asTenant(deps.db, caller, async (tx): Promise<ToolRow> => {
    await getChangeableTwin(tx, caller, twinId);
    const saved = savedId === null ? null : await getChangeableTool(tx, caller, savedId);
    if (saved !== null && saved.twinId !== twinId) throw toolNotFound();
    const { columns, secrets } = await columnsOf(tx, deps.vault, { id: savedId, twinId }, input, saved);
    return {
      ...{ ...place, twinId, ...columns },
      ...sealed(deps, place, { secrets, proxy: keptProxy(deps, input, saved) ?? entered }),
      ...{ createdAt: new Date(), updatedAt: new Date() },
    };
  });
  return runTrial(deps, caller, { tool, savedId }, sample);
}
