/** For tests of what a process leaves that is killed while it renews the access to a CRM. */
import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { inject, onTestFinished } from "vitest";
import { amocrm } from "#server/inbox/crm/amocrm.ts";
import { sealTokens, validTokens } from "#server/inbox/crm/tokens.ts";
import { asTenant, openDatabase, type Tenant } from "#server/platform/db/database.ts";
import { memberships, organizations, users } from "#server/platform/db/schema/accounts.ts";
import { crmConnections } from "#server/platform/db/schema/programs.ts";
import { createVault } from "#server/platform/secrets/vault.ts";
import { makeLock, migratedTarget } from "../backups.ts";
import { AMOCRM_APP, type AmocrmServer } from "../servers/amocrm-server.ts";

const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
const HOST = "company.amocrm.ru";
const REDIRECT = "http://localhost:3000/crm";

/** An organisation with a connection whose access has ended, and a process that begins to renew it and is killed at the CRM's `moment`. */
export async function killedWhileRenewing(amo: AmocrmServer, moment: "before" | "after" | "ended") {
  const target = await migratedTarget(engine, await makeLock());
  onTestFinished(() => target.remove());
  const key = randomBytes(32);
  const vault = createVault({ current: 1, keys: new Map([[1, key]]) });
  const first = await amocrm(amo.root).exchange(HOST, AMOCRM_APP, amo.allow(), REDIRECT);
  const planting = await openDatabase(target.config);
  const [organization] = await planting.db.insert(organizations).values({ name: "Чай" }).returning();
  const [user] = await planting.db
    .insert(users)
    .values({ authMethod: "email", email: `${randomUUID()}@example.test` })
    .returning();
  const tenant: Tenant = { organizationId: organization!.id, userId: user!.id };
  await planting.db.insert(memberships).values({ orgId: organization!.id, userId: user!.id, role: "org_admin" });
  const row = { id: randomUUID(), orgId: organization!.id };
  await asTenant(planting.db, tenant, (tx) =>
    tx.insert(crmConnections).values({
      ...row,
      ...{ system: "amocrm", host: HOST, state: "connected", connectedBy: user!.id },
      tokens: sealTokens(vault, row, { ...first, expiresAt: Date.now() - 1000 }),
    }),
  );
  await planting.close();

  if (moment !== "ended") amo.lose("/oauth2/access_token", moment);
  const { databaseUrl, dataDir } = target.config;
  const child = spawn(process.execPath, [
    join(import.meta.dirname, "crm-refresh-child.ts"),
    ...[dataDir, databaseUrl ?? "-", key.toString("base64"), amo.root, tenant.organizationId, tenant.userId, row.id],
  ]);
  let err = "";
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  await Promise.race([
    moment === "ended" ? once(child.stdout, "data") : amo.lost(),
    once(child, "close").then(() => Promise.reject(new Error(`The process has ended: ${err}`))),
  ]);
  child.kill("SIGKILL");
  await once(child, "close").catch(() => {});

  const opened = await openDatabase(target.config);
  onTestFinished(() => opened.close());
  const config = {
    publicUrl: "http://localhost:3000",
    crmApps: { amocrm: null, bitrix24: null },
    crmUrls: { amocrm: amo.root, bitrix24: null },
  };
  const { db } = opened;
  return {
    first,
    again: () => validTokens({ db, vault, config }, tenant, row.id, null, { staleMs: 5000 }),
    async state() {
      const [kept] = await asTenant(db, tenant, (tx) =>
        tx.select().from(crmConnections).where(eq(crmConnections.id, row.id)),
      );
      return kept!;
    },
  };
}
