/** Fills the demo workspace through the same functions that users call, so what a newcomer sees is what the product makes. */
import { and, eq, ilike } from "drizzle-orm";
import { audit } from "./auth/audit.ts";
import { ensureDemoUser } from "./auth/demo-user.ts";
import { asTenant, type Database } from "./db/database.ts";
import { type DemoDialogue, type DemoOpened, type DemoTwin, loadDemoContent } from "./db/demo/demo-content.ts";
import { auditLog, exemplars } from "./db/schema.ts";
import type { Viewer } from "./http.ts";
import type { Jobs } from "./jobs/queue.ts";
import { uploadDialogue } from "./knowledge/dialogues.ts";
import { addDocument } from "./knowledge/documents.ts";
import { openReply } from "./open-replies/open-replies.ts";
import type { StorageDeps } from "./organizations/storage.ts";
import { seedDemoInbox } from "./seed-demo-inbox.ts";
import { createTwin, listTwins } from "./twins/twins.ts";
import type { Vault } from "./vault.ts";

interface SeedDeps extends StorageDeps {
  db: Database;
  jobs: Jobs;
  vault: Vault;
}

/**
 * Makes the demo user and, once, three twins that know something. What the demo user deletes afterwards stays deleted;
 * a seeding that was cut off goes on where it stopped.
 */
export async function seedDemo(deps: SeedDeps): Promise<void> {
  const { db } = deps;
  const tenant = await ensureDemoUser(db);
  const viewer: Viewer = { ...tenant, role: "org_admin", superAdmin: false, confirmed: true, sessionId: "demo" };
  const [seeded] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.orgId, tenant.organizationId), eq(auditLog.action, "demo-seeded")))
    .limit(1);
  if (seeded !== undefined) return;

  const present = new Set((await listTwins(db, viewer)).map((twin) => twin.name));
  for (const twin of (await loadDemoContent()).toReversed()) {
    if (!present.has(twin.name)) await seedTwin(deps, viewer, twin);
  }
  await seedDemoInbox(deps, viewer);
  await audit(db, { action: "demo-seeded", organizationId: tenant.organizationId, userId: tenant.userId });
}

async function seedTwin(deps: SeedDeps, viewer: Viewer, content: DemoTwin): Promise<void> {
  const { name, publicName, description, personality, communicationStyle, knowledgeArea } = content;
  const twin = await createTwin(deps.db, viewer, {
    name,
    publicName,
    description,
    personality,
    communicationStyle,
    knowledgeArea,
  });
  for (const document of content.documents) {
    await addDocument(deps, viewer, { digitalTwinId: twin.id, ...document, mime: "text/markdown" });
  }
  for (const talk of joinTalks(content.dialogues)) {
    await uploadDialogue(deps, viewer, {
      digitalTwinId: twin.id,
      platform: talk.platform,
      participants: [talk.participantName],
      messages: talk.messages.map(({ fromOwner, text, sentAt }) => ({
        content: text,
        role: fromOwner ? "assistant" : "user",
        timestamp: sentAt,
      })),
    });
  }
  for (const opened of content.opened) await openDemoReply(deps, viewer, twin.id, opened);
}

async function openDemoReply(deps: SeedDeps, viewer: Viewer, twinId: string, opened: DemoOpened): Promise<void> {
  const { said, question, reply } = opened;
  const [pair] = await asTenant(deps.db, viewer, (tx) =>
    tx
      .select({ id: exemplars.id })
      .from(exemplars)
      .where(and(eq(exemplars.twinId, twinId), ilike(exemplars.reply, `%${said}%`))),
  );
  // The training that follows asks for meanings, where there are any.
  if (pair !== undefined)
    await openReply({ ...deps, meanings: null }, viewer, twinId, { pairId: String(pair.id), question, reply });
}

/** Several dialogues with one person on one platform are one talk. */
function joinTalks(dialogues: readonly DemoDialogue[]): DemoDialogue[] {
  const talks = Map.groupBy(dialogues, ({ participantName, platform }) => `${platform}:${participantName}`);
  return [...talks.values()].map((parts) => ({
    ...parts[0]!,
    messages: parts.flatMap(({ messages }) => messages).sort((a, b) => a.sentAt.localeCompare(b.sentAt)),
  }));
}
