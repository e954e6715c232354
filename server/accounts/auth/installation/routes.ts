import type { FastifyInstance } from "fastify";
import { installationApi } from "#contract/organizations/installation.ts";
import type { Database } from "#server/platform/db/database.ts";
import { route } from "#server/platform/http/route.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { administratorState, claimInstallation, type InstallationSettings } from "../administrator.ts";

interface Deps {
  db: Database;
  config: InstallationSettings;
  vault: Vault;
}

export function mountInstallationRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, installationApi.administrator, async () => ({
    administrator: await administratorState(deps.db, deps.config),
  }));
  route(
    app,
    installationApi.claim,
    async ({ caller, input }) => {
      await claimInstallation(deps, caller.userId, input.code);
      return { success: true } as const;
    },
    { rateLimit: { max: 30, timeWindow: "15 minutes" } },
  );
}
