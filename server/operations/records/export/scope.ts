/** Whose data an export contains, as SQL conditions. */
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts, websites } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

/** `account`: data of one person in an organisation; `organization`: data that all its members may see. */
export type ExportScope = "account" | "organization";

export interface DataSubject {
  organizationId: string;
  userId: string;
}

/** A condition for each scope; an export of a scope without one has none of these rows. */
export type ScopeConditions = Partial<Record<ExportScope, (whose: DataSubject) => SQL | undefined>>;

const twinsOf = ({ organizationId, userId }: DataSubject) =>
  sql`(select ${twins.id} from ${twins} where ${twins.orgId} = ${organizationId} and ${twins.ownerId} = ${userId})`;

/** Conversations with contacts of the person's own twins, and their own test chats; a colleague's test chats stay private. */
const ownConversations = (whose: DataSubject) =>
  and(
    eq(conversations.orgId, whose.organizationId),
    or(
      and(isNull(conversations.userId), sql`${conversations.twinId} in ${twinsOf(whose)}`),
      eq(conversations.userId, whose.userId),
    ),
  );
const sharedConversations = ({ organizationId }: DataSubject) =>
  and(eq(conversations.orgId, organizationId), isNull(conversations.userId));

const idsOf = (column: PgColumn, from: typeof conversations | typeof contacts | typeof integrations, which?: SQL) =>
  sql`(select ${column} from ${from} where ${which})`;

/** Rows of a twin: of the person's own twins, or of all twins in the organisation. */
export const byTwin = (column: PgColumn): ScopeConditions => ({
  account: (whose) => sql`${column} in ${twinsOf(whose)}`,
  organization: () => sql`true`,
});
export const bySite = (column: PgColumn): ScopeConditions => ({
  account: (whose) =>
    sql`${column} in (select ${websites.id} from ${websites} where ${websites.twinId} in ${twinsOf(whose)})`,
  organization: () => sql`true`,
});
/** Rows that only the twin's owner may have (docs/decisions/007-tenant-isolation-and-private-messages.md). */
export const byOwnTwin = (column: PgColumn): ScopeConditions => ({ account: byTwin(column).account! });

export const byConversation = (column: PgColumn): ScopeConditions => ({
  account: (whose) => sql`${column} in ${idsOf(conversations.id, conversations, ownConversations(whose))}`,
  organization: (whose) => sql`${column} in ${idsOf(conversations.id, conversations, sharedConversations(whose))}`,
});
export const visibleConversations: ScopeConditions = { account: ownConversations, organization: sharedConversations };

/** Rows that refer to a conversation, or to none. */
export const byTwinAndConversation = (twin: PgColumn, conversation: PgColumn): ScopeConditions => ({
  account: (whose) =>
    and(byTwin(twin).account!(whose), or(isNull(conversation), byConversation(conversation).account!(whose))),
  organization: (whose) => or(isNull(conversation), byConversation(conversation).organization!(whose)),
});

/** Contacts: colleagues know only those who have talked with the twin, because the others occur in its owner's messages. */
export const people: ScopeConditions = {
  account: (whose) => sql`${contacts.twinId} in ${twinsOf(whose)}`,
  organization: (whose) =>
    sql`${contacts.id} in ${idsOf(conversations.contactId, conversations, and(sharedConversations(whose), sql`${conversations.contactId} is not null`))}`,
};
export const byPerson = (column: PgColumn): ScopeConditions => ({
  account: (whose) => sql`${column} in ${idsOf(contacts.id, contacts, people.account!(whose))}`,
  organization: (whose) => sql`${column} in ${idsOf(contacts.id, contacts, people.organization!(whose))}`,
});

export const byIntegration = (column: PgColumn): ScopeConditions => ({
  account: (whose) =>
    sql`${column} in ${idsOf(integrations.id, integrations, sql`${integrations.twinId} in ${twinsOf(whose)}`)}`,
  organization: () => sql`true`,
});

/** Rows that a person has created, wherever they are. */
export const byUser = (column: PgColumn): ScopeConditions => ({ account: ({ userId }) => eq(column, userId) });
export const ofOrganization = (): ScopeConditions => ({ organization: () => sql`true` });
export const either = (...rules: ScopeConditions[]): ScopeConditions => ({
  ...(rules.some(({ account }) => account) && {
    account: (whose) => or(...rules.flatMap(({ account }) => account?.(whose) ?? [])),
  }),
  ...(rules.some(({ organization }) => organization) && {
    organization: (whose) => or(...rules.flatMap(({ organization }) => organization?.(whose) ?? [])),
  }),
});
