/**
 * Sends a few customers' messages to the demo while a user watches it, each received like a platform's. The inbox alone records which have
 * arrived, and it ignores repetitions; so a restart, a second process or a second window adds none.
 */
import type { Readable } from "node:stream";
import { and, eq } from "drizzle-orm";
import { ensureDemoUser } from "#server/accounts/auth/demo-user.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { loadDemoContent } from "#server/demo/content/demo-content.ts";
import { type ArrivingMessage, loadArrivingMessages } from "#server/demo/content/demo-inbox.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { widgets } from "#server/platform/db/schema/programs.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { customerKey } from "./seed-demo-inbox.ts";

interface Deps {
  db: Database;
  jobs: Jobs;
  log: Log;
}

/** Milliseconds of watching before the first message, and between two; all messages together take some ten minutes. */
const PACE = { first: 45_000, next: 100_000 };

/**
 * Called for each member who starts to watch; ignores members other than the demo user. The script's messages arrive at most once a day,
 * and none while no one watches.
 */
export function demoArrivals(deps: Deps, pace = PACE): (caller: Tenant, stream: Readable) => void {
  const open = new Set<Readable>();
  let timer: NodeJS.Timeout | undefined;

  async function arrive(tenant: Tenant): Promise<void> {
    timer = undefined;
    const came = await bringNext(deps, tenant).catch((error: unknown) => {
      deps.log.warn({ err: error }, "a message of the demo did not arrive");
      return false;
    });
    if (came && open.size > 0) timer = setTimeout(() => void arrive(tenant), pace.next).unref();
  }

  return (caller, stream) => {
    void (async () => {
      const demo = await ensureDemoUser(deps.db);
      const isDemo = caller.userId === demo.userId && caller.organizationId === demo.organizationId;
      if (!isDemo || stream.destroyed) return;
      open.add(stream);
      stream.once("close", () => {
        open.delete(stream);
        if (open.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      });
      timer ??= setTimeout(() => void arrive(caller), pace.first).unref();
    })().catch((error: unknown) => deps.log.warn({ err: error }, "the demo does not know who watches"));
  };
}

/** Receives the first message of the script that has not arrived today. @returns whether there was one */
async function bringNext(deps: Deps, tenant: Tenant): Promise<boolean> {
  const now = new Date();
  const names = new Map((await loadDemoContent()).map(({ slug, name }) => [slug, name]));
  for (const [place, message] of (await loadArrivingMessages()).entries()) {
    const chat = await chatOf(deps.db, tenant, names.get(message.twin)!);
    if (chat === null) continue;
    const stored = await storeInbound(
      deps,
      { id: chat.integrationId, organizationId: tenant.organizationId, userId: tenant.userId },
      inboundOf(message, chat.twinId, { now, eventId: `demo:${usageDay(now)}:${place}` }),
    );
    if (stored === "new") return true;
  }
  return false;
}

const inboundOf = (
  { name, text }: ArrivingMessage,
  twinId: string,
  { now, eventId }: { now: Date; eventId: string },
) => {
  const key = customerKey(twinId, name);
  return {
    eventId,
    conversation: key,
    position: now.getTime(),
    peer: { id: key, name },
    text,
    attachments: [],
    sentAt: now.toISOString(),
    automated: false,
  };
};

/** Returns the website chat of the demo's twin; null: it was deleted or switched off. */
async function chatOf(db: Database, tenant: Tenant, name: string) {
  const [chat] = await asTenant(db, tenant, (tx) =>
    tx
      .select({ integrationId: widgets.integrationId, twinId: twins.id })
      .from(widgets)
      .innerJoin(integrations, and(eq(integrations.id, widgets.integrationId), eq(integrations.status, "active")))
      .innerJoin(twins, eq(twins.id, widgets.twinId))
      .where(and(eq(twins.orgId, tenant.organizationId), eq(twins.name, name))),
  );
  return chat ?? null;
}
