import type { twins } from "#server/platform/db/schema/twins.ts";

/**
 * The name of a twin for people outside the organisation: the name that its owner has chosen, otherwise the twin's name. Never the
 * owner's or the organisation's name, because a personal organisation is named after its owner (docs/decisions/035-api-keys-site-chat-webhooks-and-crm.md).
 */
export const publicNameOf = ({ publicName, name }: Pick<typeof twins.$inferSelect, "publicName" | "name">): string =>
  publicName?.trim() || name;
