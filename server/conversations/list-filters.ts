/** Conditions of the list of conversations, which the search over messages has too. */
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { ConversationsQuery } from "#contract/conversations/conversations.ts";
import type { Tenant } from "#server/db/database.ts";
import { conversations } from "#server/db/schema.ts";
import { hasLabel } from "./labels/labels.ts";

export type ListFilters = Pick<
  ConversationsQuery,
  "status" | "platform" | "contacts" | "twinId" | "integrationId" | "lead" | "assignee" | "label"
>;

export function filtersOf(
  caller: Tenant,
  { status, platform, contacts, twinId, integrationId, lead, assignee, label }: ListFilters,
): (SQL | undefined)[] {
  return [
    status === undefined ? undefined : eq(conversations.status, status),
    platform ? eq(conversations.platform, platform) : undefined,
    contacts === undefined ? undefined : isNull(conversations.userId),
    twinId === undefined ? undefined : eq(conversations.twinId, twinId),
    integrationId === undefined ? undefined : eq(conversations.integrationId, integrationId),
    lead === undefined
      ? undefined
      : lead === "me"
        ? sql`${conversations.pausedUntil} > now()`
        : sql`coalesce(${conversations.pausedUntil} <= now(), true)`,
    label === undefined ? undefined : hasLabel(label),
    assignee === undefined
      ? undefined
      : assignee === "me"
        ? eq(conversations.assigneeId, caller.userId)
        : and(isNull(conversations.assigneeId), isNotNull(conversations.contactId)),
  ];
}
