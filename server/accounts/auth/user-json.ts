import type { Role, SignedInUser } from "#contract/organizations/auth.ts";
import type { Config } from "#server/platform/config.ts";
import type { users } from "#server/platform/db/schema/accounts.ts";
import { consentDue } from "./consent/consent.ts";
import { DEMO_TELEGRAM_ID } from "./demo-telegram-id.ts";
import { isSuperAdmin } from "./super-admin.ts";

export type UserRow = typeof users.$inferSelect;

/** Returns the signed-in user as the web app reads it; `role` is the one in `organizationId`. */
export function userJson(
  user: UserRow,
  membership: { organizationId: string; role: Role },
  config: Pick<Config, "demo">,
): SignedInUser {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    first_name: user.firstName,
    last_name: user.lastName,
    fullName: `${user.firstName} ${user.lastName}`.trim(),
    username: user.telegramUsername,
    telegramUsername: user.telegramUsername,
    photo_url: user.photoUrl,
    authMethod: user.authMethod,
    emailConfirmed: user.emailConfirmedAt !== null,
    role: membership.role,
    superAdmin: isSuperAdmin(user),
    isDemo: config.demo && user.telegramId === DEMO_TELEGRAM_ID,
    organizationId: membership.organizationId,
    consentDue: consentDue(user, config),
  };
}
