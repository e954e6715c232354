/** Who administers the platform, and with it the installation: an account that says so, whose address is known to be its person's. */
import { sql } from "drizzle-orm";
import type { users } from "#server/platform/db/schema/accounts.ts";
import { DEMO_TELEGRAM_ID } from "./demo-telegram-id.ts";

type UserRow = typeof users.$inferSelect;

/** Whether the address is known to be theirs; who came by Telegram has none to confirm. */
export const isConfirmed = ({
  emailConfirmedAt,
  authMethod,
}: Pick<UserRow, "emailConfirmedAt" | "authMethod">): boolean => emailConfirmedAt !== null || authMethod === "telegram";

/** Never a user with an unconfirmed address, and never the shared demo account, whatever the row says. */
export const isSuperAdmin = (user: UserRow): boolean =>
  user.superAdmin && isConfirmed(user) && user.telegramId !== DEMO_TELEGRAM_ID;

/** The same of the `users` row that a statement calls so. */
export const administrationOf = (name: "u" | "users") => {
  const column = (field: string) => sql.raw(`${name}.${field}`);
  const confirmed = sql<boolean>`(${column("email_confirmed_at")} is not null or ${column("auth_method")} = 'telegram')`;
  const superAdmin = sql<boolean>`(${column("super_admin")} and ${confirmed}
    and ${column("telegram_id")} is distinct from ${sql.raw(`'${DEMO_TELEGRAM_ID}'`)})`;
  return { confirmed, superAdmin };
};
