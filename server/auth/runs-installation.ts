/** Who runs the installation: the platform's administrator, and on the embedded database the demo user. */
import type { FastifyInstance } from "fastify";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { ensureDemoUser } from "./demo/demo-user.ts";
import { demoUserInstalls } from "./demo-installer.ts";

interface Deps {
  db: Database;
  config: Pick<Config, "demo" | "databaseUrl">;
}

/** Admits the demo user to what «installation» guards. The platform's administrator is admitted anyway. */
export function admitDemoInstaller(app: FastifyInstance, { db, config }: Deps): void {
  if (!demoUserInstalls(config)) return;
  app.addHook("preHandler", async (request) => {
    const { caller } = request;
    if (caller === null || request.routeOptions.config.access !== "installation") return;
    const { userId } = await ensureDemoUser(db);
    if (caller.userId === userId) request.caller = { ...caller, runsInstallation: true };
  });
}
