/** Rows that others hang on, for tests below the API: written as a tenant, with no job begun and nothing trained. */
import { randomUUID } from "node:crypto";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { organizations, users } from "#server/platform/db/schema/accounts.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { contacts, sources } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

/** A user and an organisation of his own. */
export async function buildTenant(db: Database): Promise<Tenant> {
  const [user] = await db.insert(users).values({ authMethod: "email" }).returning({ id: users.id });
  const [organization] = await db.insert(organizations).values({ name: "О" }).returning({ id: organizations.id });
  return { organizationId: organization!.id, userId: user!.id };
}

/** @returns its id */
export async function buildTwinRow(
  tx: Tx,
  { organizationId, userId }: Tenant,
  changes: Partial<typeof twins.$inferInsert> = {},
): Promise<string> {
  const words = { name: "Д", description: "", personality: "", communicationStyle: "" };
  const [twin] = await tx
    .insert(twins)
    .values({ ...words, ...changes, orgId: organizationId, ownerId: userId })
    .returning({ id: twins.id });
  return twin!.id;
}

/** Both, where nothing else is written in the transaction. */
export async function buildTenantWithTwin(
  db: Database,
  changes: Partial<typeof twins.$inferInsert> = {},
): Promise<{ tenant: Tenant; twinId: string }> {
  const tenant = await buildTenant(db);
  return { tenant, twinId: await asTenant(db, tenant, (tx) => buildTwinRow(tx, tenant, changes)) };
}

/** The organisation is named as in the tables. */
interface Place {
  orgId: string;
  twinId: string;
}

/** An export of Telegram's that messages may hang on. @returns its id */
export async function buildSource(tx: Tx, { orgId, twinId }: Place): Promise<string> {
  const kind = { kind: "export", platform: "telegram", name: "Выгрузка" } as const;
  const [source] = await tx
    .insert(sources)
    .values({ ...kind, externalId: randomUUID(), orgId, twinId })
    .returning({ id: sources.id });
  return source!.id;
}

/** A person who writes on Telegram. */
export async function buildContact(
  tx: Pick<Tx, "insert">,
  { orgId, twinId }: Place,
  changes: Partial<typeof contacts.$inferInsert> = {},
): Promise<typeof contacts.$inferSelect> {
  const who = { platform: "telegram", externalId: randomUUID(), name: "Иван" };
  const [contact] = await tx
    .insert(contacts)
    .values({ ...who, ...changes, orgId, twinId })
    .returning();
  return contact!;
}

/** A conversation on Telegram without messages. */
export async function buildConversation(
  tx: Pick<Tx, "insert">,
  { orgId, twinId }: Place,
  changes: Partial<typeof conversations.$inferInsert> = {},
): Promise<typeof conversations.$inferSelect> {
  const talk = { platform: "telegram", externalId: randomUUID(), participantName: "Иван" };
  const [made] = await tx
    .insert(conversations)
    .values({ ...talk, ...changes, orgId, twinId })
    .returning();
  return made!;
}
