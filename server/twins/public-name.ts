import type { twins } from "#server/db/schema.ts";

/**
 * What a twin is called before anybody outside the organisation: as its owner has chosen, else by its own name. Never by the account's
 * owner, and not by the organisation either: a personal one is named after its owner (docs/decisions/049).
 */
export const publicNameOf = ({ publicName, name }: Pick<typeof twins.$inferSelect, "publicName" | "name">): string =>
  publicName?.trim() || name;
