import { randomUUID } from "node:crypto";
import { and, asc, count, eq, gte, max, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import { OPEN_CHAT_DAYS, type OpenChat, type Widget, type WidgetInput } from "#contract/integrations/widget.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { sealCredentials } from "#server/inbox/channels/credentials.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { widgets } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

/** Defaults before the first save. Like every new integration it only drafts until the owner chooses otherwise. */
const FIRST: Widget = {
  id: null,
  enabled: false,
  allowedSites: [],
  title: "Напишите нам",
  greeting: "Здравствуйте! Чем помочь?",
  color: "#0f5f63",
  autonomy: "draft",
  dailyMessages: 300,
};

/** @throws Problem 404, 403 */
export function getWidget(db: Database, caller: Caller, twinId: string): Promise<Widget> {
  return asTenant(db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    return (await findWidget(tx, twinId)) ?? FIRST;
  });
}

/** Lists the enabled chats of the caller's organisation, by the names of their twins. */
export function listOpenChats(db: Database, caller: Caller): Promise<OpenChat[]> {
  return asTenant(db, caller, async (tx) => {
    const chats = await tx
      .select({
        integrationId: widgets.integrationId,
        twinId: widgets.twinId,
        twinName: twins.name,
        title: widgets.title,
        sites: widgets.allowedSites,
        autonomy: integrations.autonomy,
        messagesHandled: integrations.messagesHandled,
      })
      .from(widgets)
      .innerJoin(integrations, eq(integrations.id, widgets.integrationId))
      .innerJoin(twins, eq(twins.id, widgets.twinId))
      .where(and(eq(widgets.orgId, caller.organizationId), eq(integrations.status, "active")))
      .orderBy(asc(twins.name), asc(widgets.id));
    const lately = await conversationsLately(tx, caller.organizationId);
    return chats.map(({ integrationId, ...chat }) => ({ ...chat, lately: lately.get(integrationId) ?? null }));
  });
}

/** Returns counts by integration. It uses the index of the latest conversations, so it reads a week and not the history. */
async function conversationsLately(tx: Tx, orgId: string): Promise<Map<string, NonNullable<OpenChat["lately"]>>> {
  const since = new Date(Date.now() - OPEN_CHAT_DAYS * 24 * 3600_000);
  const rows = await tx
    .select({
      integrationId: conversations.integrationId,
      conversations: count(),
      decidedByOwner: count(sql`case when ${conversations.autonomy} in ('draft', 'confident') then 1 end`),
      lastAt: max(conversations.updatedAt),
    })
    .from(conversations)
    .where(and(eq(conversations.orgId, orgId), gte(conversations.updatedAt, since), eq(conversations.platform, "web")))
    .groupBy(conversations.integrationId);
  return new Map(
    rows.map(({ integrationId, lastAt, ...counts }) => [integrationId!, { ...counts, lastAt: lastAt!.toISOString() }]),
  );
}

async function findWidget(tx: Tx, twinId: string): Promise<Widget | null> {
  const [row] = await tx
    .select({ widget: widgets, status: integrations.status, autonomy: integrations.autonomy })
    .from(widgets)
    .innerJoin(integrations, eq(integrations.id, widgets.integrationId))
    .where(eq(widgets.twinId, twinId));
  if (row === undefined) return null;
  const { id, allowedSites, title, greeting, color, dailyMessages } = row.widget;
  const { autonomy } = row;
  return { id, enabled: row.status === "active", allowedSites, title, greeting, color, autonomy, dailyMessages };
}

/** @throws Problem 404, 403 */
export function saveWidget(
  { db, vault }: { db: Database; vault: Vault },
  caller: Caller,
  twinId: string,
  input: z.output<typeof WidgetInput>,
): Promise<Widget> {
  const { enabled, autonomy, allowedSites, ...looks } = input;
  const status = enabled ? ("active" as const) : ("inactive" as const);
  const set = { ...looks, allowedSites: [...new Set(allowedSites.map(originOf))], updatedAt: new Date() };
  return asTenant(db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const [known] = await tx.select().from(widgets).where(eq(widgets.twinId, twinId));
    if (known === undefined) {
      const row = { id: randomUUID(), orgId: caller.organizationId };
      const credentials = sealCredentials(vault, row, { platform: "web" });
      await tx
        .insert(integrations)
        .values({ ...row, twinId, platform: "web", credentials, status, autonomy, account: "Чат на сайте" });
      await tx.insert(widgets).values({ ...set, orgId: row.orgId, twinId, integrationId: row.id });
    } else {
      await tx.update(widgets).set(set).where(eq(widgets.id, known.id));
      await tx
        .update(integrations)
        .set({ status, autonomy, updatedAt: new Date() })
        .where(eq(integrations.id, known.integrationId));
    }
    const saved = (await findWidget(tx, twinId))!;
    await auditInTenant(tx, {
      action: "widget-saved",
      userId: caller.userId,
      organizationId: caller.organizationId,
      subject: saved.id!,
      detail: { twinId, enabled, autonomy, allowedSites: saved.allowedSites },
    });
    return saved;
  });
}

/** Normalises an origin like browsers do: Cyrillic names in Punycode, no default port. A wildcard is handled separately. */
function originOf(site: string): string {
  const [, scheme, star = "", rest] = /^(https?:\/\/)(\*\.)?(.+)$/.exec(site)!;
  const { host } = new URL(`${scheme}${rest}`);
  return `${scheme}${star}${host}`;
}
