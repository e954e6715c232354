/** Determines who administers the platform and the installation: an account that is marked so and whose address is confirmed. */
import { sql } from "drizzle-orm";
import type { users } from "#server/platform/db/schema/accounts.ts";
import { DEMO_TELEGRAM_ID } from "./demo-telegram-id.ts";

type UserRow = typeof users.$inferSelect;

/** Whether the account's address is proven to be theirs; a Telegram account has no address to confirm. */
export const isConfirmed = ({
  emailConfirmedAt,
  authMethod,
}: Pick<UserRow, "emailConfirmedAt" | "authMethod">): boolean => emailConfirmedAt !== null || authMethod === "telegram";

/** False for an unconfirmed address and for the shared demo account, regardless of the row's flag. */
export const isSuperAdmin = (user: UserRow): boolean =>
  user.superAdmin && isConfirmed(user) && user.telegramId !== DEMO_TELEGRAM_ID;

/** SQL with the same rule, for a statement that calls the `users` row by this name. */
export const administrationOf = (name: "u" | "users") => {
  const column = (field: string) => sql.raw(`${name}.${field}`);
  const confirmed = sql<boolean>`(${column("email_confirmed_at")} is not null or ${column("auth_method")} = 'telegram')`;
  const superAdmin = sql<boolean>`(${column("super_admin")} and ${confirmed}
    and ${column("telegram_id")} is distinct from ${sql.raw(`'${DEMO_TELEGRAM_ID}'`)})`;
  return { confirmed, superAdmin };
};
