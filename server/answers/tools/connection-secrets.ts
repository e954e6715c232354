/** Keys, passwords and tokens of a connection at rest. */
import type { toolConnections } from "#server/platform/db/schema/tools.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

export type ConnectionRow = typeof toolConnections.$inferSelect;
type Place = Pick<ConnectionRow, "id" | "orgId">;

const placeOf = ({ id, orgId }: Place) => ({ table: "tool_connections", tenant: orgId, row: id, column: "secrets" });

/** @param secrets whatever the kind of the connection keeps, as JSON */
export const sealConnection = (vault: Vault, place: Place, secrets: object): Buffer =>
  vault.seal(placeOf(place), JSON.stringify(secrets));

/** @returns null where nothing is kept. @throws VaultError */
export const openConnection = <Secrets>(vault: Vault, row: Place & Pick<ConnectionRow, "secrets">): Secrets | null =>
  row.secrets === null ? null : (JSON.parse(vault.open(placeOf(row), row.secrets)) as Secrets);

/** What is sealed of a calendar's connection. */
export interface CalendarSecrets {
  login: string;
  password: string;
}
