import type { twins } from "#server/platform/db/schema/twins.ts";

/**
 * Returns a twin's name for people outside the organisation: the public name that its owner has chosen, otherwise the twin's name. Never
 * the owner's or the organisation's name, because a personal organisation bears its owner's name
 * (docs/decisions/035-api-keys-site-chat-webhooks-and-crm.md).
 */
export const publicNameOf = ({ publicName, name }: Pick<typeof twins.$inferSelect, "publicName" | "name">): string =>
  publicName?.trim() || name;
