/** The two debug buttons of the login page. Mounted in demo mode only; both lead to the demo user and nowhere else. */
import type { FastifyInstance } from "fastify";
import { DEMO_TOKEN, type TelegramLoginInput } from "#contract/auth.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { findMember } from "./accounts.ts";
import { DEMO_TELEGRAM_ID, ensureDemoUser } from "./demo-user.ts";
import { NO_SESSION } from "./sessions.ts";
import type { UserRow } from "./user-json.ts";
import { bearerOf } from "./viewer.ts";

/** Accepts DEMO_TOKEN as the demo user, unbound. It has no row in `sessions`: nothing of it is left when demo mode ends. */
export function acceptDemoToken(app: FastifyInstance, { db, config }: { db: Database; config: Config }): void {
  refuseInProduction(config);
  app.addHook("preHandler", async (request) => {
    if (request.viewer !== null || bearerOf(request) !== DEMO_TOKEN) return;
    const demo = await ensureDemoUser(db);
    request.viewer = { ...demo, superAdmin: false, confirmed: true, sessionId: NO_SESSION };
  });
}

/** The demo user for the unsigned fake payload, null for any other payload. */
export async function demoAccount(
  { db, config }: { db: Database; config: Config },
  payload: TelegramLoginInput,
): Promise<UserRow | null> {
  refuseInProduction(config);
  const fake = payload.hash === undefined && payload.auth_date === undefined && String(payload.id) === DEMO_TELEGRAM_ID;
  if (!fake) return null;
  const { userId, organizationId } = await ensureDemoUser(db);
  return (await findMember(db, userId, organizationId))!.user;
}

function refuseInProduction(config: Config): void {
  if (config.production || !config.demo) throw new Error("The demo login belongs to demo mode");
}
