import type { Database, Tenant } from "#server/platform/db/database.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

export interface ToolDeps {
  db: Database;
  vault: Vault;
  config: { loopbackAddresses: boolean };
}

/** What is shown of tools depends on the model that may propose them. */
export interface ShownToolDeps extends ToolDeps {
  /** Whether the model that answers for the organisation proposes calls; asked outside transactions. */
  proposesCalls(tenant: Tenant): Promise<boolean>;
}

export interface ConnectionDeps extends ToolDeps {
  config: ToolDeps["config"] & { publicUrl: string };
}
