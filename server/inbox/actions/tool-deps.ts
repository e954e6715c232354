import type { Database } from "#server/platform/db/database.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

export interface ToolDeps {
  db: Database;
  vault: Vault;
  config: { loopbackAddresses: boolean };
}

export interface ConnectionDeps extends ToolDeps {
  config: ToolDeps["config"] & { publicUrl: string };
}
