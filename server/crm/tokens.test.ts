/** A refresh token is valid once: what a process leaves that is killed while it renews the access, on either engine. */
import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { asTenant, openDatabase, type Tenant } from "#server/db/database.ts";
import { crmConnections, memberships, organizations, users } from "#server/db/schema.ts";
import { createVault } from "#server/secrets/vault.ts";
import { emptyTarget, makeLock } from "#server/test/backups.ts";
import { AMOCRM_APP, type AmocrmServer, startAmocrmServer } from "#server/test/servers/amocrm-server.ts";
import { amocrm } from "./amocrm.ts";
import { sealTokens, validTokens } from "./tokens.ts";

vi.setConfig({ testTimeout: 300_000 });
const engine = "path" in inject("databaseSnapshot") ? "embedded" : "postgres";
const HOST = "company.amocrm.ru";
const REDIRECT = "http://localhost:3000/crm";

let amo: AmocrmServer;
beforeAll(async () => {
  amo = await startAmocrmServer();
});
afterAll(() => amo.close());

/** An organisation with a connection whose access has ended, and a process that begins to renew it and is killed at the CRM's `moment`. */
async function killedWhileRenewing(moment: "before" | "after" | "ended") {
  const target = await emptyTarget(engine, await makeLock());
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
    join(import.meta.dirname, "../test/processes/crm-refresh-child.ts"),
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

test("killed before the CRM has heard of it: the stored token is tried again and gives the next pair", async () => {
  const { again, first, state } = await killedWhileRenewing("before");
  expect((await state()).refreshingSince).not.toBeNull();
  const tokens = await again();
  expect(tokens!.refreshToken).not.toBe(first.refreshToken);
  expect(await state()).toMatchObject({ state: "connected", refreshingSince: null });
});

test("killed between the CRM's answer and the database: the used token is refused, and the administrator is told to sign in again", async () => {
  const { again, state } = await killedWhileRenewing("after");
  await expect(again()).rejects.toThrow("amoCRM больше не принимает доступ. Подключите заново.");
  expect(await state()).toMatchObject({
    state: "broken",
    reason: "amoCRM больше не принимает доступ. Подключите заново.",
  });
});

test("killed as soon as the new pair is stored: it is used, and the CRM is not asked for another", async () => {
  const { again, state } = await killedWhileRenewing("ended");
  const asked = amo.grants.length;
  expect((await again())!.expiresAt).toBeGreaterThan(Date.now());
  expect(amo.grants.length).toBe(asked);
  expect((await state()).state).toBe("connected");
});
