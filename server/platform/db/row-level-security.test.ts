import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { JOB_TABLES } from "#server/platform/jobs/queue-rights.ts";
import { createLog } from "#server/platform/log.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { asPlatform, asTenant, type OpenDatabase } from "./database.ts";
import { namedStatement } from "./named-statement.ts";
import { organizations, users } from "./schema/accounts.ts";
import { contacts } from "./schema/knowledge.ts";
import { PLATFORM_TABLES } from "./schema/platform.ts";
import { twins } from "./schema/twins.ts";
import { eachAsTenant } from "./tenant-statements.ts";

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const rows = async <Row>(query: ReturnType<typeof sql>): Promise<Row[]> =>
  (await database.db.execute(query)).rows as unknown as Row[];

describe("the catalogue of the database", () => {
  test("every table is either a platform table or a tenant table", async () => {
    const tables = await rows<{ name: string; org: boolean }>(sql`
      select c.relname as name, exists (
        select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and a.attnotnull) as org
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`);
    expect(tables.length).toBeGreaterThan(20);
    const platform: readonly string[] = PLATFORM_TABLES;
    for (const { name, org } of tables)
      expect({ name, held: org || platform.includes(name) }).toEqual({ name, held: true });
    for (const name of platform) expect(tables.map((table) => table.name)).toContain(name);
  });

  test("each tenant table has forced row-level security whose policy binds reading and writing to the organisation", async () => {
    const tables = await rows<{ name: string; enabled: boolean; forced: boolean }>(sql`
      select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relname = any(${sql.param([...PLATFORM_TABLES])}::text[])`);
    const policies = await rows<{
      name: string;
      roles: string[];
      command: string;
      reads: string;
      writes: string | null;
    }>(sql`
      select tablename as name, roles::text[] as roles, cmd as command, qual as reads, with_check as writes from pg_policies where schemaname = 'public'`);
    const bound = /org_id = .*NULLIF\(current_setting\('app\.org'/i;
    for (const table of tables) {
      expect(table).toEqual({ name: table.name, enabled: true, forced: true });
      const own = policies.filter((policy) => policy.name === table.name);
      const ofRequests = own.filter((policy) => !policy.roles.every((role) => role === "dt_platform"));
      expect(ofRequests).toEqual([
        {
          name: table.name,
          roles: ["dt_request"],
          command: "ALL",
          reads: expect.stringMatching(bound),
          writes: expect.stringMatching(bound),
        },
      ]);
      const ofPlatform = own.filter((policy) => policy.roles.includes("dt_platform"));
      for (const policy of ofPlatform) expect(policy.command).toBe("SELECT");
    }
  });

  test("the roles of requests own nothing, bypass nothing and cannot log in", async () => {
    const roles = await rows<Record<string, unknown>>(sql`
      select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin,
        (select count(*) from pg_class c where c.relowner = r.oid) as owned,
        (select count(*) from pg_auth_members m where m.member = r.oid) as memberships
      from pg_roles r where rolname in ('dt_request', 'dt_platform') order by rolname`);
    const harmless = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolcanlogin: false,
      owned: 0,
      memberships: 0,
    };
    expect(roles).toEqual([
      { rolname: "dt_platform", ...harmless },
      { rolname: "dt_request", ...harmless },
    ]);
  });

  test("platform tables are closed to both roles, and the platform role can write nowhere", async () => {
    const allowed = await rows<{ role: string; name: string; right: string }>(sql`
      select r.role, c.relname as name, p.right from pg_class c
      cross join (values ('dt_request'), ('dt_platform')) as r(role)
      cross join (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('REFERENCES'), ('TRIGGER')) as p("right")
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and has_table_privilege(r.role, c.oid, p.right)`);
    const platform: readonly string[] = PLATFORM_TABLES;
    // A tenant's transaction may append to the audit log, and to no other platform table.
    expect(allowed.filter((grant) => platform.includes(grant.name))).toEqual([
      { role: "dt_request", name: "audit_log", right: "INSERT" },
    ]);
    expect(allowed.filter((grant) => grant.role === "dt_platform" && grant.right !== "SELECT")).toEqual([]);
    const rights = new Set(allowed.filter((grant) => grant.role === "dt_request").map((grant) => grant.right));
    expect([...rights].sort()).toEqual(["DELETE", "INSERT", "SELECT", "UPDATE"]);
  });

  test("in the queue's tables the role of requests reaches only its organisation's jobs, and the platform's role nothing", async () => {
    const jobs = await openJobs(database, createLog("silent"));
    await jobs.stop(1000);
    const granted = await rows<{ role: string; name: string; right: string }>(sql`
      select r.role, c.relname as name, p.right from pg_class c
      cross join (values ('dt_request'), ('dt_platform')) as r(role)
      cross join (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('REFERENCES'), ('TRIGGER')) as p("right")
      where c.relnamespace = 'jobs'::regnamespace and c.relkind in ('r', 'p') and has_table_privilege(r.role, c.oid, p.right)
      order by name, p.right`);
    const own = ["DELETE", "INSERT", "SELECT"];
    expect(granted).toEqual([
      ...JOB_TABLES.flatMap((name) => own.map((right) => ({ role: "dt_request", name, right }))),
      { role: "dt_request", name: "queue", right: "SELECT" },
    ]);
    const policies = await rows<{ name: string; roles: string[]; reads: string; writes: string }>(sql`
      select tablename as name, roles::text[] as roles, qual as reads, with_check as writes from pg_policies
      where schemaname = 'jobs' order by name`);
    const bound = expect.stringMatching(/organizationId.* = NULLIF\(current_setting\('app\.org'/);
    expect(policies).toEqual(JOB_TABLES.map((name) => ({ name, roles: ["dt_request"], reads: bound, writes: bound })));
    const secured = await rows(sql`
      select relname from pg_class where relnamespace = 'jobs'::regnamespace and relrowsecurity order by relname`);
    expect(secured.map((row) => (row as { relname: string }).relname)).toEqual(JOB_TABLES);
  });
});

describe("a transaction of one organisation", () => {
  async function organisation() {
    const [org] = await database.db.insert(organizations).values({ name: "Организация" }).returning();
    const [user] = await database.db
      .insert(users)
      .values({ authMethod: "email", email: `${randomUUID()}@example.test` })
      .returning();
    return { organizationId: org!.id, userId: user!.id };
  }
  const twinOf = ({ organizationId, userId }: { organizationId: string; userId: string }) => ({
    orgId: organizationId,
    ownerId: userId,
    name: "Анна",
    description: "…",
    personality: "…",
    communicationStyle: "…",
  });

  test("cannot see, change, delete or create another organisation's rows", async () => {
    const [ours, theirs] = [await organisation(), await organisation()];
    const [twin] = await asTenant(database.db, theirs, (tx) => tx.insert(twins).values(twinOf(theirs)).returning());
    await asTenant(database.db, ours, async (tx) => {
      expect(await tx.select().from(twins)).toEqual([]);
      expect(await tx.update(twins).set({ name: "Взлом" }).returning()).toEqual([]);
      expect(await tx.delete(twins).returning()).toEqual([]);
    });
    const forge = asTenant(database.db, ours, (tx) => tx.insert(twins).values(twinOf(theirs)));
    await expect(forge).rejects.toMatchObject({ cause: { code: "42501" } });
    const giveAway = asTenant(database.db, ours, async (tx) => {
      await tx.insert(twins).values(twinOf(ours));
      await tx.update(twins).set({ orgId: theirs.organizationId });
    });
    await expect(giveAway).rejects.toMatchObject({ cause: { code: "42501" } });
    expect(await asTenant(database.db, theirs, (tx) => tx.select().from(twins))).toEqual([twin]);
  });

  test("reaches no platform table and cannot leave its role by naming another", async () => {
    const ours = await organisation();
    for (const name of PLATFORM_TABLES) {
      const look = asTenant(database.db, ours, (tx) => tx.execute(sql`select * from ${sql.identifier(name)}`));
      await expect(look, name).rejects.toMatchObject({ cause: { code: "42501" } });
    }
    await expect(
      asPlatform(database.db, (tx) =>
        tx.insert(contacts).values({ ...twinKeys(ours), platform: "test", externalId: "1", name: "…" }),
      ),
    ).rejects.toMatchObject({ cause: { code: "42501" } });
  });

  test("leaves neither its role nor its organisation behind on the connection", async () => {
    const ours = await organisation();
    await asTenant(database.db, ours, (tx) => tx.select().from(twins));
    await expect(asTenant(database.db, ours, () => Promise.reject(new Error("…")))).rejects.toThrow("…");
    const after = await rows<{ role: string; org: string | null }>(
      sql`select current_setting('role') as role, nullif(current_setting('app.org', true), '') as org`,
    );
    expect(after).toEqual([{ role: "none", org: null }]);
  });

  test("also protects single statements with cached plans, regardless of the connection's previous user", async () => {
    const [ours, theirs] = [await organisation(), await organisation()];
    const insert = namedStatement<{ orgId: string; ownerId: string }, { name: string }>(
      "test twin",
      sql`insert into twins (org_id, owner_id, name, description, personality, communication_style)
        values (${sql.placeholder("orgId")}, ${sql.placeholder("ownerId")}, 'Анна', '…', '…', '…') returning name`,
    );
    const owners = namedStatement<Record<string, never>, { org: string }>(
      "test owners",
      sql`select org_id as org from twins`,
    );
    for (const { organizationId, userId } of [ours, theirs]) {
      const own = eachAsTenant(database.db, { organizationId, userId });
      expect(await insert(own, { orgId: organizationId, ownerId: userId })).toEqual([{ name: "Анна" }]);
    }
    const forge = () =>
      insert(eachAsTenant(database.db, ours), { orgId: theirs.organizationId, ownerId: theirs.userId });
    // From the sixth run on PostgreSQL may use a generic plan.
    for (let run = 0; run < 7; run++) {
      for (const { organizationId, userId } of [ours, theirs]) {
        const seen = await owners(eachAsTenant(database.db, { organizationId, userId }), {});
        expect(seen).toEqual([{ org: organizationId }]);
      }
      expect((await owners(database.db, {})).length).toBeGreaterThan(1);
      if (run % 3 === 0) await expect(forge()).rejects.toMatchObject({ code: "42501" });
    }
    const after = await rows(sql`
      select current_setting('role') as role, nullif(current_setting('app.org', true), '') as org`);
    expect(after).toEqual([{ role: "none", org: null }]);
    expect(() => eachAsTenant(database.db, { ...ours, organizationId: "x" })).toThrow(TypeError);
  });

  test("without an organisation the role of requests sees nothing", async () => {
    const seen = await database.db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('role', 'dt_request', true)`);
      return tx.select().from(twins);
    });
    expect(seen).toEqual([]);
  });
});

const twinKeys = ({ organizationId }: { organizationId: string }) => ({ orgId: organizationId, twinId: randomUUID() });
