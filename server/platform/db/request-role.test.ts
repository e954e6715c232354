/** Tests the damage that SQL injection into a request's statements could do, on both engines. */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { audit, auditInTenant } from "#server/accounts/auth/audit.ts";
import { JOB_TABLES } from "#server/platform/jobs/queue-rights.ts";
import { UnknownMasterKey } from "#server/platform/secrets/unknown-master-key.ts";
import { onServer } from "#server/test/database.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { asTenant, openDatabase, sharePool, sqlState, type Tx } from "./database.ts";
import { RequestRoleError, resealRequestRolePassword } from "./request-role.ts";
import { eachAsTenant } from "./tenant-statements.ts";

let t: TestApp;
let ours: TestClient;
let theirs: TestClient;
beforeAll(async () => {
  t = await testApp();
  [ours, theirs] = [await t.signUp(), await t.signUp()];
  for (const one of [ours, theirs]) expect((await one.post("/api/digital-twins", TWIN)).statusCode).toBe(201);
  await t.jobsIdle();
  const { userId, organizationId } = theirs.caller;
  await audit(t.services.db, { action: "demo-seeded", userId, organizationId });
});
afterAll(() => t.close());

const inTenant = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, ours.caller, work);
const raw = (tx: Tx, text: string) => tx.execute(sql.raw(text));
/** Returns the SQLSTATE, or the error's name when the statement never reached the database. */
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing",
    (error: Error) => sqlState(error) ?? (error.cause instanceof Error ? error.cause : error).name,
  );
const embedded = "path" in inject("databaseSnapshot");

const SYNTAX = "42601";
const FORBIDDEN = "42501";

test("several statements at once, and statements other than reading or changing rows, are refused", async () => {
  for (const text of ["select 1; reset role", "select 1; select * from users", "update twins set name = 'x'; commit"]) {
    expect(await refusalOf(inTenant((tx) => raw(tx, text))), text).toBe(SYNTAX);
    expect(await refusalOf(raw(eachAsTenant(t.services.db, ours.caller), text)), text).toBe(SYNTAX);
  }
  const others = [
    "reset role",
    "reset role; select * from users",
    "set role none",
    "set local role none",
    "set session authorization default",
    "reset session authorization",
    "do $$ begin execute 'reset role'; end $$",
    "commit",
    "alter table audit_log disable trigger all",
    "/* */ reset role",
    "-- \nreset role",
  ];
  for (const text of others) {
    expect(await refusalOf(inTenant((tx) => raw(tx, text))), text).toBe("TypeError");
    expect(await refusalOf(raw(eachAsTenant(t.services.db, ours.caller), text)), text).toBe("TypeError");
  }
});

const STEPS_OUT = [
  "select set_config('role', 'none', true)",
  "select set_config('role', 'none', false)",
  "select set_config('session_authorization', 'default', true)",
  "select set_config('role', 'dt_platform', true)",
  "select query_to_xml('set role none', true, true, '')",
];

const FORBIDDEN_STATEMENTS = [
  "select * from users",
  "select * from sessions",
  "update users set super_admin = true",
  "select * from audit_log",
  "update audit_log set action = 'x'",
  "delete from audit_log",
  "with gone as (delete from audit_log returning 1) select * from gone",
  "select * from pg_authid",
  "update jobs.job set data = '{}'",
  "update jobs.queue set policy = 'standard'",
];

test("leaving the role gives no access, whichever function is used", async () => {
  for (const step of STEPS_OUT) {
    for (const text of FORBIDDEN_STATEMENTS) {
      const refused = await refusalOf(
        inTenant(async (tx) => {
          await raw(tx, step);
          await raw(tx, text);
        }),
      );
      expect([FORBIDDEN, "0A000", "22023"], `${step}; ${text}`).toContain(refused);
    }
    const seen = inTenant(async (tx) => {
      await raw(tx, step);
      return (await raw(tx, "select org_id from twins")).rows;
    });
    const rows = await seen.catch(() => []);
    for (const row of rows) expect(row.org_id, step).toBe(ours.caller.organizationId);
  }
  // The setting must not persist for the next user of the connection.
  const after = await inTenant(async (tx) => (await raw(tx, "select org_id, current_user as role from twins")).rows);
  expect(after).toEqual([{ org_id: ours.caller.organizationId, role: "dt_request" }]);
});

test("the same is refused without leaving the role", async () => {
  for (const text of FORBIDDEN_STATEMENTS)
    expect(await refusalOf(inTenant((tx) => raw(tx, text))), text).toBe(FORBIDDEN);
});

test("the audit log can only be appended to, only for the own organisation, and entries cannot be changed", async () => {
  const { userId, organizationId } = ours.caller;
  await inTenant((tx) => auditInTenant(tx, { action: "widget-saved", userId, organizationId, subject: "s" }));
  const forged = inTenant((tx) =>
    auditInTenant(tx, { action: "widget-saved", userId, organizationId: theirs.caller.organizationId }),
  );
  expect(await refusalOf(forged)).toBe(FORBIDDEN);
  // The trigger restricts even the owner of the tables.
  for (const text of ["update audit_log set action = 'x'", "delete from audit_log", "truncate audit_log"]) {
    expect(await refusalOf(t.services.db.execute(sql.raw(text))), text).toBe("P0001");
  }
});

test("only the organisation's own jobs can be seen, enqueued and deleted", async () => {
  const job = (organizationId: string) => ({ organizationId, userId: ours.caller.userId, twinId: randomUUID() });
  const later = new Date(Date.now() + 3_600_000);
  const { jobs } = t.services;
  const others = job(theirs.caller.organizationId);
  await asTenant(t.services.db, theirs.caller, (tx) => jobs.enqueue(tx, "learn-embeddings", others, later));
  expect(await refusalOf(inTenant((tx) => jobs.enqueue(tx, "learn-embeddings", others, later)))).toBe(FORBIDDEN);
  await inTenant((tx) => jobs.enqueue(tx, "learn-embeddings", job(ours.caller.organizationId), later));
  for (const table of JOB_TABLES) {
    const seen = await inTenant(async (tx) => (await raw(tx, `select data from jobs.${table}`)).rows);
    expect(seen.length).toBeGreaterThan(0);
    for (const { data } of seen) {
      expect((data as { organizationId: string }).organizationId).toBe(ours.caller.organizationId);
    }
  }
  await inTenant((tx) => raw(tx, "delete from jobs.job"));
  const left = await t.services.db.execute(
    sql`select data->>'twinId' as twin from jobs.job where name = 'learn-embeddings'`,
  );
  expect(left.rows).toEqual([{ twin: others.twinId }]);
});

test("requests and the platform together get exactly the configured number of connections", () => {
  for (let all = 2; all <= 40; all++) {
    const { requests, platform } = sharePool(all);
    expect(requests + platform).toBe(all);
    expect(Math.min(requests, platform)).toBeGreaterThan(0);
    expect(requests).toBeGreaterThanOrEqual(platform);
  }
});

describe.skipIf(embedded)("on PostgreSQL", () => {
  const server = () => (inject("databaseSnapshot") as { url: string }).url;

  test("requests log in as a separate role that can do nothing but become dt_request", async () => {
    const { rows } = await t.services.db.$requests.query("select session_user as login, current_user as role");
    expect(rows).toEqual([{ login: expect.stringMatching(/^dt_login_\d+$/), role: rows[0].login }]);
    const attributes = await t.services.db.execute(sql`
      select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as free,
        (select array_agg(g.rolname::text) from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid) as roles,
        (select count(*) from pg_class where relowner = r.oid) as owned
      from pg_roles r where rolname = ${rows[0].login}`);
    expect(attributes.rows).toEqual([{ free: false, roles: ["dt_request"], owned: 0 }]);
    // Outside a tenant's transaction the role sees no rows.
    expect((await t.services.db.$requests.query("select from twins")).rowCount).toBe(0);
    await expect(t.services.db.$requests.query("set role postgres")).rejects.toMatchObject({ code: FORBIDDEN });
  });

  test("an owner with CREATEROLE also repairs an existing login; one without gets both remedies, and a role with more rights is refused", async () => {
    const name = `bare_${randomUUID().replaceAll("-", "")}`;
    await onServer(server(), `create role ${name} login createrole password 'x'`);
    await onServer(server(), `create database ${name} owner ${name}`);
    const url = new URL(server());
    [url.username, url.password, url.pathname] = [name, "x", `/${name}`];
    try {
      // The first start created the roles; then the right was revoked and the database moved.
      const first = await openDatabase({ databaseUrl: url.href, dataDir: "", pool: 2 });
      const login = new URL(first.db.$requests.options.connectionString!).username;
      await first.close();
      // When two servers start at once, the second may find a role without a password.
      await onServer(server(), `alter role ${login} nologin`);
      await (await openDatabase({ databaseUrl: url.href, dataDir: "", pool: 2 })).close();
      await onServer(server(), `drop role ${login}`);
      await onServer(server(), `alter role ${name} nocreaterole`);
      const opening = openDatabase({ databaseUrl: url.href, dataDir: "" });
      const said = await opening.then(
        (opened) => opened.close().then(() => "opened"),
        (error: Error) => error,
      );
      expect(said).toBeInstanceOf(RequestRoleError);
      expect((said as Error).message).toMatch(/CREATEROLE.*DATABASE_REQUEST_URL/s);
      const asOwner = openDatabase({ databaseUrl: url.href, requestUrl: url.href, dataDir: "" });
      await expect(asOwner).rejects.toThrow(/больше, чем запросам/);
      // A role that the operator created by hand is accepted.
      await onServer(server(), `create role ${name}_requests login password 'y' in role dt_request`);
      const given = new URL(url);
      [given.username, given.password] = [`${name}_requests`, "y"];
      const opened = await openDatabase({ databaseUrl: url.href, requestUrl: given.href, dataDir: "", pool: 2 });
      expect((await opened.db.$requests.query("select session_user as login")).rows).toEqual([
        { login: `${name}_requests` },
      ]);
      await opened.close();
    } finally {
      await onServer(server(), `drop database if exists ${name} with (force)`);
      await onServer(server(), `drop role if exists ${name}_requests, ${name}`);
    }
  });

  test("whichever of its master keys a server has, it logs in with the same password, and a wrong key changes nothing", async () => {
    const databaseUrl = t.services.db.$client.options.connectionString!;
    const [former, next, wrong] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
    const passwordWith = async (...masterKeys: Buffer[]) => {
      const opened = await openDatabase({ databaseUrl, dataDir: "", pool: 2, masterKeys });
      try {
        expect((await opened.db.$requests.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
        return new URL(opened.db.$requests.options.connectionString!).password;
      } finally {
        await opened.close();
      }
    };
    const first = await passwordWith(former);
    await expect(passwordWith(wrong)).rejects.toThrow(UnknownMasterKey);
    expect(await passwordWith(next, former)).toBe(first);
    expect(await passwordWith(next)).toBe(first);
    expect(await passwordWith(former)).toBe(first);
    // After the change of the key, the former key no longer decrypts the password.
    await resealRequestRolePassword(t.services.db, next);
    await expect(passwordWith(former)).rejects.toThrow(UnknownMasterKey);
    expect(await passwordWith(next)).toBe(first);
    const { rows } = await t.services.db.execute(sql`select sealed from request_logins`);
    for (const { sealed } of rows) expect(Buffer.from(sealed as string, "base64").includes(first)).toBe(false);
  });
});
