/** Asks the owner's system: finds the row of a table, or makes the HTTP call; stores and decides nothing. */
import type { Tenant } from "#server/platform/db/database.ts";
import type { ActArgument } from "#server/platform/db/schema/tools.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { openHeaders } from "./headers.ts";
import { buildRequest, callHttp } from "./http-call.ts";
import { bounded, type Result, scalarIn } from "./json-result.ts";
import type { ReadSource } from "./proof.ts";
import { findRow, type TableDeps } from "./table-rows.ts";
import { KEY_FIELD, type ToolRow } from "./tool.ts";

export interface CallDeps extends TableDeps {
  vault: Vault;
}

/** absent: there is no such row. `status` and `answer`: of the HTTP answer, for a trial. */
export type CallOutcomeOf =
  | { kind: "done"; result: Result; read: ReadSource; status: number | null; answer: string }
  | { kind: "absent"; status: number | null; answer: string }
  | { kind: "failed" | "unknown"; reason: string; status: number | null; answer: string };

const NOT_HTTP = { status: null, answer: "" };

export async function makeCall(
  deps: CallDeps,
  tenant: Tenant,
  tool: ToolRow,
  {
    values,
    idempotencyKey,
    signal,
  }: { values: readonly ActArgument[]; idempotencyKey: string | null; signal: AbortSignal },
): Promise<CallOutcomeOf> {
  const { settings } = tool;
  if (settings.kind === "table") {
    const { tableId, keyColumn, shown } = settings;
    const key = values.find(({ name }) => name === KEY_FIELD)?.value ?? "";
    try {
      const row = await findRow(deps, tenant, { tableId, keyColumn, key });
      if (row === null) return { kind: "absent", ...NOT_HTTP };
      const lines = shown.map((column) => ({ label: column, value: row.get(column) ?? "" }));
      return { kind: "done", result: bounded(lines), read: (source) => row.get(source) ?? null, ...NOT_HTTP };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { kind: "failed", reason: error.message, ...NOT_HTTP };
    }
  }
  const request = buildRequest(settings, values);
  if (request === null) return { kind: "failed", reason: "Такое значение в адрес не подставить", ...NOT_HTTP };
  const outcome = await callHttp(settings, request, {
    headers: openHeaders(deps.vault, tool),
    idempotencyKey,
    loopback: deps.config.loopbackAddresses,
    signal,
    changes: tool.changes,
  });
  const { status, answer } = outcome;
  if (outcome.kind === "done")
    return outcome.result.length === 0 && !tool.changes
      ? { kind: "absent", status, answer }
      : { ...outcome, read: (source) => scalarIn(outcome.json, source) };
  return status === 404 && !tool.changes ? { kind: "absent", status, answer } : outcome;
}
