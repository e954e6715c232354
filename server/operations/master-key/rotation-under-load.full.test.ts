/** The master key is changed while people connect and check accounts, and they notice nothing. */
import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createApp } from "#server/app.ts";
import { openCredentials, sealCredentials } from "#server/inbox/channels/credentials.ts";
import { asTenant, type OpenDatabase, openDatabase } from "#server/platform/db/database.ts";
import { resealRequestRolePassword } from "#server/platform/db/request-role.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { LoadShedder } from "#server/platform/process/load-shedder.ts";
import { createVault, type Vault } from "#server/platform/secrets/vault.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { openKeyRing } from "./key-ring.ts";
import { rewrapAll, verifyAll } from "./rewrap.ts";

/** More accounts than one page of the rotation. */
const CONNECTED = 210;
/** Requests that are answered between two pages. */
const BETWEEN = 6;
const WORKERS = 2;

let telegram: TelegramServer;
let t: TestApp;
let owner: TestClient;
let twinId: string;
const [former, next] = [randomBytes(32), randomBytes(32)];
beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root, masterKey: former });
  owner = await t.signUp();
  twinId = await buildTwin(owner);
});
afterAll(async () => {
  await t.close();
  await telegram.close();
});

async function vaultOf(...[masterKey, ...otherMasterKeys]: Buffer[]): Promise<Vault> {
  const { db, config } = t.services;
  return createVault(await openKeyRing(db, { masterKey: masterKey!, otherMasterKeys, dataDir: config.dataDir }));
}

/** Starts a server on the same database with other keys. */
const serverWith = (vault: Vault): Promise<FastifyInstance> =>
  createApp({ ...t.services, vault }, { checkAnswers: true, shedder: new LoadShedder(() => 0) });

let bots = 0;
const newBot = () => ({
  digitalTwinId: twinId,
  platform: "telegram",
  apiKey: `${++bots}:token-of-a-bot-0123456789abcdefghij`,
});

/** Connects accounts before the change, encrypted with the former key. @returns their ids */
async function connectMany(): Promise<string[]> {
  const created = await owner.post("/api/integrations/create", newBot());
  expect(created.statusCode, created.body).toBe(201);
  const { db, vault } = t.services;
  const tenant = { organizationId: owner.caller.organizationId, userId: owner.caller.userId };
  const [first] = await asTenant(db, tenant, (tx) =>
    tx.select().from(integrations).where(eq(integrations.id, created.json().id)),
  );
  const credentials = openCredentials(vault, first!);
  const rows = Array.from({ length: CONNECTED }, () => {
    const row = { id: randomUUID(), orgId: first!.orgId, platform: first!.platform };
    return { ...row, twinId, credentials: sealCredentials(vault, { ...first!, ...row }, credentials) };
  });
  await asTenant(db, tenant, (tx) => tx.insert(integrations).values(rows));
  return rows.map(({ id }) => id);
}

test("while the key is changed every account can be connected, checked and read, and afterwards the new key opens all", async () => {
  const ids = await connectMany();
  const { db } = t.services;
  const both = await vaultOf(next, former);
  const app = await serverWith(both);
  const failures: string[] = [];
  let answered = 0;
  let unchecked = 0;
  const ask = async (method: "GET" | "POST", url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${owner.token}` };
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    const body = answer.json() as { ok?: boolean };
    if (answer.statusCode >= 400 || body.ok === false) failures.push(`${method} ${url} ${answer.body}`);
    answered++;
  };
  let over = false;
  const work = async () => {
    while (!over) {
      await ask("POST", "/api/integrations/create", newBot());
      // Each account is checked once, because an immediate second check has to wait. The last is reserved for a later check.
      const id = unchecked < ids.length - 1 ? ids[unchecked++] : null;
      if (id !== null) await ask("POST", `/api/integrations/${id}/check`);
      await ask("GET", `/api/integrations/${ids[answered % ids.length]}`);
    }
  };
  const working = Array.from({ length: WORKERS }, work);
  let pages = 0;
  const { changed } = await rewrapAll(db, both, async () => {
    pages++;
    const until = answered + BETWEEN;
    await expect.poll(() => answered, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(until);
  });
  over = true;
  await Promise.all(working);
  await app.close();
  expect(failures).toEqual([]);
  expect(pages).toBeGreaterThan(1);
  expect(changed).toBeGreaterThanOrEqual(CONNECTED);

  const after = await vaultOf(next);
  expect(await verifyAll(db, after)).toBe(CONNECTED + bots);
  const restarted = await serverWith(after);
  const checked = await restarted.inject({
    method: "POST",
    url: `/api/integrations/${ids.at(-1)}/check`,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(checked.json()).toMatchObject({ ok: true });
  await restarted.close();
}, 300_000);

/** Starts a server with its own connections. @param name by which the database identifies its connections */
async function startOn(databaseUrl: string, name: string, ...masterKeys: Buffer[]) {
  const url = new URL(databaseUrl);
  url.searchParams.set("application_name", name);
  const database: OpenDatabase = await openDatabase({ databaseUrl: url.href, dataDir: "", pool: 4, masterKeys });
  const { db } = database;
  const vault = await vaultOf(...masterKeys);
  const services = { ...t.services, database, db, vault };
  const app = await createApp(services, { checkAnswers: true, shedder: new LoadShedder(() => 0) });
  return {
    app,
    db,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

test.skipIf("path" in inject("databaseSnapshot"))(
  "of two servers whose key is changed one after the other, the one with the former key still opens connections",
  async () => {
    const databaseUrl = t.services.db.$client.options.connectionString!;
    const killer = new pg.Client({ connectionString: databaseUrl });
    await killer.connect();
    const begin = (name: string, ...keys: Buffer[]) => startOn(databaseUrl, name, ...keys);
    const servers = [await begin("one", former), await begin("two", former)];
    const failures: string[] = [];
    let answered = 0;
    /** Sends requests to all servers in turn; each has to reopen its connections. */
    async function serve(what: string): Promise<void> {
      // No request is running here, so only connections are dropped.
      await killer.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('one', 'two') and state = 'idle'",
      );
      const open = () => servers.reduce((sum, { db }) => sum + db.$requests.totalCount + db.$client.totalCount, 0);
      await expect.poll(open, { timeout: 30_000, interval: 20 }).toBe(0);
      for (let round = 0; round < 4; round++) {
        const asked = servers.flatMap(({ app }) =>
          Array.from({ length: 4 }, () =>
            app.inject({ url: "/api/integrations", headers: { authorization: `Bearer ${owner.token}` } }),
          ),
        );
        for (const answer of await Promise.all(asked)) {
          answered++;
          if (answer.statusCode !== 200) failures.push(`${what}: ${answer.statusCode} ${answer.body}`);
        }
      }
    }
    const restart = async (at: 0 | 1, name: string, ...keys: Buffer[]) => {
      await servers[at]!.close();
      servers[at] = await begin(name, ...keys);
    };
    try {
      await serve("before");
      await restart(0, "one", former, next);
      await restart(1, "two", former, next);
      await serve("the new key is known");
      await restart(0, "one", next, former);
      await serve("one server seals with the new key");
      await restart(1, "two", next, former);
      await rewrapAll(servers[1]!.db, await vaultOf(next, former));
      await resealRequestRolePassword(servers[1]!.db, next);
      await serve("all is sealed with it");
      await restart(0, "one", next);
      await serve("one server has forgotten the former key");
      await restart(1, "two", next);
      await serve("after");
    } finally {
      await Promise.all(servers.map((server) => server.close()));
      await killer.end();
    }
    expect(failures).toEqual([]);
    expect(answered).toBe(6 * 4 * 8);
  },
  300_000,
);
