/** Mounts the two debug buttons of the sign-in page, in demo mode only; they sign in only the demo user. */
import type { FastifyInstance } from "fastify";
import { DEMO_TOKEN, type TelegramLoginInput } from "#contract/organizations/auth.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { findMember } from "../accounts.ts";
import { bearerOf } from "../caller.ts";
import { DEMO_TELEGRAM_ID } from "../demo-telegram-id.ts";
import { ensureDemoUser } from "../demo-user.ts";
import { NO_SESSION } from "../sessions.ts";
import type { UserRow } from "../user-json.ts";

/** Accepts DEMO_TOKEN as the demo user without a cookie. The token has no row in `sessions`, so it stops working when demo mode ends. */
export function acceptDemoToken(app: FastifyInstance, { db, config }: { db: Database; config: Config }): void {
  refuseInProduction(config);
  app.addHook("preHandler", async (request) => {
    if (request.caller !== null || bearerOf(request) !== DEMO_TOKEN) return;
    const demo = await ensureDemoUser(db);
    request.caller = { ...demo, superAdmin: false, confirmed: true, sessionId: NO_SESSION };
  });
}

/** Returns the demo user for the specification's unsigned Telegram payload; null for any other payload. */
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
