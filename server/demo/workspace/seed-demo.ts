/** Fills the demo workspace through the functions that users call, so a newcomer sees the product's real output. */
import { and, eq, ilike, sql } from "drizzle-orm";
import { audit } from "#server/accounts/auth/audit.ts";
import { ensureDemoUser } from "#server/accounts/auth/demo-user.ts";
import type { StorageDeps } from "#server/accounts/organizations/storage.ts";
import { createTwin, listTwins } from "#server/accounts/twins/twins.ts";
import {
  type DemoConversation,
  type DemoOpened,
  type DemoTwin,
  loadDemoContent,
} from "#server/demo/content/demo-content.ts";
import { addDocument } from "#server/knowledge/documents/documents.ts";
import { uploadConversation } from "#server/knowledge/messages/upload-conversation.ts";
import { openReply } from "#server/knowledge/public-replies/open-replies.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { documents, replyExamples, sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { seedDemoInbox } from "./seed-demo-inbox.ts";

/** Days; more than the age of the demo's oldest message. */
const KNOWN_FOR_DAYS = 12;

interface SeedDeps extends StorageDeps {
  db: Database;
  jobs: Jobs;
  vault: Vault;
}

/**
 * Creates the demo user and, once, three trained twins. What the demo user deletes afterwards stays deleted; an interrupted seeding
 * continues.
 */
export async function seedDemo(deps: SeedDeps): Promise<void> {
  const { db } = deps;
  const tenant = await ensureDemoUser(db);
  const caller: Caller = { ...tenant, role: "org_admin", superAdmin: false, confirmed: true, sessionId: "demo" };
  const [seeded] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.orgId, tenant.organizationId), eq(auditLog.action, "demo-seeded")))
    .limit(1);
  if (seeded !== undefined) return;

  const present = new Set((await listTwins(db, caller)).map((twin) => twin.name));
  for (const twin of (await loadDemoContent()).toReversed()) {
    if (!present.has(twin.name)) await seedTwin(deps, caller, twin);
  }
  await seedDemoInbox(deps, caller);
  await makeKnowledgeOlder(db, caller);
  await audit(db, { action: "demo-seeded", organizationId: tenant.organizationId, userId: tenant.userId });
}

/** Dates the knowledge back, because answers of the last days already quote it. Running it again changes nothing. */
async function makeKnowledgeOlder(db: Database, caller: Caller): Promise<void> {
  const older = sql.raw(`interval '${KNOWN_FOR_DAYS} days'`);
  await asTenant(db, caller, async (tx) => {
    for (const table of [twins, documents, sources])
      await tx
        .update(table)
        .set({
          createdAt: sql`${table.createdAt} - ${older}`,
          ...(table === sources && { lastImportAt: sql`${sources.lastImportAt} - ${older}` }),
        })
        .where(and(eq(table.orgId, caller.organizationId), sql`${table.createdAt} > now() - ${older}`));
  });
}

async function seedTwin(deps: SeedDeps, caller: Caller, content: DemoTwin): Promise<void> {
  const { name, publicName, description, personality, communicationStyle, knowledgeArea, purpose } = content;
  const twin = await createTwin(deps.db, caller, {
    name,
    publicName,
    description,
    personality,
    communicationStyle,
    knowledgeArea,
    purpose,
  });
  for (const document of content.documents) {
    await addDocument(deps, caller, { digitalTwinId: twin.id, ...document, mime: "text/markdown" });
  }
  for (const conversation of joinConversations(content.conversations)) {
    await uploadConversation(deps, caller, {
      digitalTwinId: twin.id,
      platform: conversation.platform,
      participants: [conversation.participantName],
      messages: conversation.messages.map(({ fromOwner, text, sentAt }) => ({
        content: text,
        role: fromOwner ? "assistant" : "user",
        timestamp: sentAt,
      })),
    });
  }
  for (const opened of content.opened) await openDemoReply(deps, caller, twin.id, opened);
}

async function openDemoReply(deps: SeedDeps, caller: Caller, twinId: string, opened: DemoOpened): Promise<void> {
  const { said, question, reply } = opened;
  const [pair] = await asTenant(deps.db, caller, (tx) =>
    tx
      .select({ id: replyExamples.id })
      .from(replyExamples)
      .where(and(eq(replyExamples.twinId, twinId), ilike(replyExamples.reply, `%${said}%`))),
  );
  // The following training requests embeddings, if a model is configured.
  if (pair !== undefined)
    await openReply({ ...deps, queryEmbedder: null }, caller, twinId, { pairId: String(pair.id), question, reply });
}

/** Joins conversations with one person on one platform. */
function joinConversations(conversations: readonly DemoConversation[]): DemoConversation[] {
  const byPerson = Map.groupBy(conversations, ({ participantName, platform }) => `${platform}:${participantName}`);
  return [...byPerson.values()].map((parts) => ({
    ...parts[0]!,
    messages: parts.flatMap(({ messages }) => messages).sort((a, b) => a.sentAt.localeCompare(b.sentAt)),
  }));
}
