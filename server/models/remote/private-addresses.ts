import { eq } from "drizzle-orm";
import { isDemoInstaller } from "#server/auth/demo-installer.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { users } from "#server/db/schema.ts";
import type { Caller } from "#server/http/route.ts";
import { plainHost } from "#server/network/public-address.ts";

const THIS_MACHINE = ["localhost", "127.0.0.1", "::1"];
const isThisMachine = (host: string) => THIS_MACHINE.includes(plainHost(host));

/**
 * Whether somebody may name addresses in a private network: whoever runs the installation, the demo user only where the server is for this
 * machine alone. Where others reach it, the demo user is everybody.
 */
export async function mayNamePrivate(
  db: Database,
  config: Pick<Config, "demo" | "databaseUrl" | "host" | "publicUrl">,
  caller: Caller,
): Promise<boolean> {
  if (caller.superAdmin) return true;
  if (!isThisMachine(config.host) || !isThisMachine(new URL(config.publicUrl).hostname)) return false;
  const [user] = await db.select({ telegramId: users.telegramId }).from(users).where(eq(users.id, caller.userId));
  return isDemoInstaller(user?.telegramId ?? null, config);
}
