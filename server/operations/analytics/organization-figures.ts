/** Measured figures about an organisation's resources and usage. */
import { and, count, desc, eq, gte, inArray, sql, sum } from "drizzle-orm";
import {
  type OrganizationStats,
  type OrganizationTwin,
  type OrganizationUsage,
  PAGE_SIZE,
} from "#contract/organizations/organizations.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { connectionOf } from "#server/inbox/integrations/integrations.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { memberships, users } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { documents, indexSegments } from "#server/platform/db/schema/knowledge.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";

export async function organizationStats(db: Database, tenant: Tenant): Promise<OrganizationStats> {
  const { organizationId } = tenant;
  const [members] = await db.select({ value: count() }).from(memberships).where(eq(memberships.orgId, organizationId));
  return asTenant(db, tenant, async (tx) => {
    const counted = await countTwins(tx, organizationId);
    const [messages] = await tx
      .select({ value: sum(dailyUsage.messages).mapWith(Number) })
      .from(dailyUsage)
      .where(eq(dailyUsage.orgId, organizationId));
    return {
      totalUsers: members!.value,
      digitalTwins: counted.twins,
      totalMessages: messages!.value ?? 0,
      activeIntegrations: counted.integrations,
    };
  });
}

async function countTwins(tx: Tx, organizationId: string): Promise<{ twins: number; integrations: number }> {
  const [twin] = await tx.select({ value: count() }).from(twins).where(eq(twins.orgId, organizationId));
  const { status, trouble, sendFailures, account } = integrations;
  const active = await tx
    .select({ status, trouble, sendFailures, account })
    .from(integrations)
    .where(and(eq(integrations.orgId, organizationId), eq(integrations.status, "active")));
  // Counts like «Интеграции», which lists unreachable channels separately.
  return { twins: twin!.value, integrations: active.filter((one) => connectionOf(one) !== "trouble").length };
}

/** Lists twins, newest first, page by page. @param shown whether owners' names are included, for callers who may see the members */
export async function organizationTwins(
  db: Database,
  tenant: Tenant,
  { after }: { after?: string | undefined },
  shown: { owners: boolean },
): Promise<OrganizationTwin[]> {
  const { organizationId } = tenant;
  const rows = await asTenant(db, tenant, (tx) =>
    tx
      .select({
        id: twins.id,
        name: twins.name,
        status: twins.status,
        isActive: twins.isActive,
        ownerId: twins.ownerId,
        createdAt: twins.createdAt,
        messages: sql<number>`(
          select coalesce(sum(u.messages), 0) from ${dailyUsage} u where u.twin_id = ${twins.id})`.mapWith(Number),
      })
      .from(twins)
      .where(
        and(
          eq(twins.orgId, organizationId),
          after === undefined
            ? undefined
            : sql`(${twins.createdAt}, ${twins.id}) < (select t.created_at, t.id from ${twins} t where t.id = ${after})`,
        ),
      )
      .orderBy(desc(twins.createdAt), desc(twins.id))
      .limit(PAGE_SIZE),
  );
  const names = shown.owners
    ? await memberNames(
        db,
        organizationId,
        rows.map(({ ownerId }) => ownerId),
      )
    : new Map();
  return rows.map(({ ownerId, createdAt, ...row }) => ({
    ...row,
    ownerName: names.get(ownerId) ?? null,
    createdAt: createdAt.toISOString(),
  }));
}

async function memberNames(db: Tx, organizationId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(and(eq(memberships.orgId, organizationId), inArray(users.id, ids)));
  return new Map(
    rows.map(({ id, firstName, lastName, email }) => [id, `${firstName} ${lastName}`.trim() || (email ?? "")]),
  );
}

/** Returns the organisation's usage in the present calendar month, in Moscow time. */
export async function organizationUsage(db: Database, tenant: Tenant): Promise<OrganizationUsage> {
  const { organizationId } = tenant;
  const since = `${usageDay(new Date()).slice(0, 8)}01`;
  // Moscow has kept the same offset all year round since 2014.
  const begin = new Date(`${since}T00:00:00+03:00`);
  return asTenant(db, tenant, async (tx) => {
    const [replies] = await tx
      .select({ value: count() })
      .from(conversationMessages)
      .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
      .where(
        and(
          eq(conversations.orgId, organizationId),
          // A conversation that was not updated since has no newer message; this condition uses the index.
          gte(conversations.updatedAt, begin),
          gte(conversationMessages.createdAt, begin),
          eq(conversationMessages.role, "assistant"),
        ),
      );
    const daily = await tx
      .select({ day: dailyUsage.day, messages: sum(dailyUsage.messages).mapWith(Number) })
      .from(dailyUsage)
      .where(and(eq(dailyUsage.orgId, organizationId), gte(dailyUsage.day, since)))
      .groupBy(dailyUsage.day)
      .orderBy(dailyUsage.day);
    const ofTwins = sql`in (select ${twins.id} from ${twins} where ${twins.orgId} = ${organizationId})`;
    const [texts] = await tx
      .select({ bytes: sql<number>`coalesce(sum(octet_length(${documents.content})), 0)`.mapWith(Number) })
      .from(documents)
      .where(eq(documents.orgId, organizationId));
    const [indexes] = await tx
      .select({ bytes: sql<number>`coalesce(sum(octet_length(${indexSegments.bytes})), 0)`.mapWith(Number) })
      .from(indexSegments)
      .where(sql`${indexSegments.twinId} ${ofTwins}`);
    return {
      since,
      apiCalls: replies!.value,
      messages: daily.reduce((total, { messages }) => total + messages, 0),
      storageBytes: texts!.bytes + indexes!.bytes,
      ...(await countTwins(tx, organizationId)),
      daily: daysFrom(since).map((day) => ({
        day,
        messages: daily.find((row) => row.day === day)?.messages ?? 0,
      })),
    };
  });
}

const DAY_MS = 24 * 60 * 60_000;

function daysFrom(first: string): string[] {
  const today = usageDay(new Date());
  const days: string[] = [];
  for (let at = Date.parse(`${first}T12:00:00+03:00`); usageDay(new Date(at)) <= today; at += DAY_MS) {
    days.push(usageDay(new Date(at)));
  }
  return days;
}
