import type { Role, SignedInUser } from "#contract/organizations/auth.ts";
import type { Config } from "#server/config.ts";
import type { users } from "#server/db/schema.ts";
import { consentDue } from "./consent/consent.ts";
import { isDemoInstaller } from "./demo-installer.ts";

export type UserRow = typeof users.$inferSelect;

/** Whether the address is known to be theirs; who came by Telegram has none to confirm. */
export const isConfirmed = ({
  emailConfirmedAt,
  authMethod,
}: Pick<UserRow, "emailConfirmedAt" | "authMethod">): boolean => emailConfirmedAt !== null || authMethod === "telegram";

/** The signed-in user as the browser reads it; `role` is the one in `organizationId`. */
export function userJson(
  user: UserRow,
  membership: { organizationId: string; role: Role },
  config: Pick<Config, "demo" | "databaseUrl">,
): SignedInUser {
  const superAdmin = user.superAdmin && isConfirmed(user);
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
    superAdmin,
    runsInstallation: superAdmin || isDemoInstaller(user.telegramId, config),
    organizationId: membership.organizationId,
    consentDue: consentDue(user, config),
  };
}
