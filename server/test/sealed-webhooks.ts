/** Webhooks whose secrets are sealed, for tests of a change of the master key. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { openSecret, sealSecret } from "#server/inbox/webhooks/secrets.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { organizations, users } from "#server/platform/db/schema/accounts.ts";
import { webhooks } from "#server/platform/db/schema/programs.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { buildTwinRow } from "./factories/build-rows.ts";

/** Makes webhooks of a new organisation, each with a sealed secret. */
export async function seal(db: Database, vault: Vault, count: number) {
  const [org] = await db.insert(organizations).values({ name: "Организация" }).returning();
  const email = `${randomUUID()}@example.test`;
  const [user] = await db.insert(users).values({ authMethod: "email", email }).returning();
  const [orgId, ownerId] = [org!.id, user!.id];
  await asTenant(db, { organizationId: orgId, userId: ownerId }, async (tx) => {
    const twinId = await buildTwinRow(tx, { organizationId: orgId, userId: ownerId });
    const of = { orgId, twinId, url: "https://example.test", events: [], includeTexts: false, enabled: true };
    const rows = Array.from({ length: count }, () => ({ ...of, id: randomUUID() }));
    await tx
      .insert(webhooks)
      .values(rows.map((row) => ({ ...row, secret: sealSecret(vault, row, "secret", `секрет ${row.id}`) })));
  });
}

/** Opens all of them. @returns their number */
export async function opened(db: Database, vault: Vault): Promise<number> {
  const rows = await db.select().from(webhooks);
  for (const row of rows) expect(openSecret(vault, row, "secret", row.secret)).toBe(`секрет ${row.id}`);
  return rows.length;
}
