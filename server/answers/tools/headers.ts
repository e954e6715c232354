/** Values of a tool's headers at rest. */
import type { ToolRow } from "#server/platform/db/schema/tools.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

type Place = Pick<ToolRow, "id" | "orgId">;

const placeOf = ({ id, orgId }: Place) => ({ table: "tools", tenant: orgId, row: id, column: "headers" });

export const sealHeaders = (vault: Vault, place: Place, headers: Readonly<Record<string, string>>): Buffer | null =>
  Object.keys(headers).length === 0 ? null : vault.seal(placeOf(place), JSON.stringify(headers));

/** @throws VaultError */
export const openHeaders = (vault: Vault, tool: Pick<ToolRow, "id" | "orgId" | "headers">): Record<string, string> =>
  tool.headers === null ? {} : (JSON.parse(vault.open(placeOf(tool), tool.headers)) as Record<string, string>);
