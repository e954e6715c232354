/** Conditions of the conversation list, which the message search shares. */
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { ConversationsQuery } from "#contract/conversations/conversations.ts";
import type { Tenant } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { hasLabel } from "./labels.ts";

type ListFilters = Pick<
  ConversationsQuery,
  "status" | "platform" | "contacts" | "twinId" | "integrationId" | "lead" | "assignee" | "label" | "day"
>;

export function filtersOf(
  caller: Tenant,
  { status, platform, contacts, twinId, integrationId, lead, assignee, label, day }: ListFilters,
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
    day === undefined ? undefined : saidSomethingOn(day),
    assignee === undefined
      ? undefined
      : assignee === "me"
        ? eq(conversations.assigneeId, caller.userId)
        : and(isNull(conversations.assigneeId), isNotNull(conversations.contactId)),
  ];
}

/**
 * Days are in Moscow time, as in /analytics. Conversations that began later or ended before are excluded without reading their messages.
 */
function saidSomethingOn(day: string): SQL {
  const start = sql`(${day}::timestamp at time zone 'Europe/Moscow')`;
  const end = sql`(${start} + interval '1 day')`;
  return sql`${conversations.updatedAt} >= ${start} and ${conversations.createdAt} < ${end} and exists (
    select from ${conversationMessages} where ${conversationMessages.conversationId} = ${conversations.id}
      and ${conversationMessages.createdAt} >= ${start} and ${conversationMessages.createdAt} < ${end})`;
}
