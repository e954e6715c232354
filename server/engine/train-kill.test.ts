import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { asTenant, type OpenDatabase, openDatabase, type Tenant } from "#server/db/database.ts";
import { documents, indexSegments, organizations, passages, twins, users } from "#server/db/schema.ts";
import { openJobs } from "#server/jobs/queue.ts";
import { splitPassages } from "#server/knowledge/split-passages.ts";
import { createLog } from "#server/log.ts";
import { onServer } from "#server/test/database.ts";
import { bumpKnowledge, requestTraining } from "#server/twins/training.ts";
import { searchTwin } from "./twin-index.ts";

const DOCUMENTS = 30;
const log = createLog("silent");

let dataDir: string;
let address: string | null = null;
let child: ChildProcess | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "dt-train-kill-"));
  const snapshot = inject("databaseSnapshot");
  if ("path" in snapshot) return;
  const url = new URL(snapshot.url);
  url.pathname = `/train_kill_${randomUUID().replaceAll("-", "")}`;
  address = url.href;
  await onServer(snapshot.url, `create database ${url.pathname.slice(1)} template ${snapshot.template}`);
});

afterAll(async () => {
  child?.kill("SIGKILL");
  const snapshot = inject("databaseSnapshot");
  if (address !== null && !("path" in snapshot)) {
    await onServer(snapshot.url, `drop database if exists ${new URL(address).pathname.slice(1)} with (force)`);
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** Opens the database in this process: an embedded one belongs to one process at a time. */
async function withDatabase<T>(work: (opened: OpenDatabase) => Promise<T>): Promise<T> {
  const opened = await openDatabase({ databaseUrl: address, dataDir, pool: 3 });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

const textOf = (place: number) =>
  Array.from(
    { length: 300 },
    (_, at) => `Правило ${at} темы ${place} говорит, как поступать в случае ${at * place}.`,
  ).join("\n\n");

/** A twin with many documents whose training waits in the queue. */
async function waitingTwin(opened: OpenDatabase): Promise<Tenant & { twinId: string }> {
  const { db } = opened;
  const [organization] = await db.insert(organizations).values({ name: "Обрыв" }).returning();
  const [user] = await db
    .insert(users)
    .values({ authMethod: "email", email: `${randomUUID()}@example.test` })
    .returning();
  const tenant = { organizationId: organization!.id, userId: user!.id };
  const jobs = await openJobs(opened, log);
  const own = { orgId: tenant.organizationId };
  const twinId = await asTenant(db, tenant, async (tx) => {
    const about = { name: "Анна", description: "…", personality: "…", communicationStyle: "…" };
    const [twin] = await tx
      .insert(twins)
      .values({ ...own, ...about, ownerId: tenant.userId })
      .returning();
    for (let place = 1; place <= DOCUMENTS; place++) {
      const content = textOf(place);
      const contentHash = createHash("sha256").update(content).digest("hex");
      await tx
        .insert(documents)
        .values({ ...own, twinId: twin!.id, name: `Тема ${place}`, type: "faq", content, contentHash });
    }
    await bumpKnowledge(tx, twin!.id);
    await requestTraining(tx, jobs, tenant, twin!.id);
    return twin!.id;
  });
  await jobs.stop(1000);
  return { ...tenant, twinId };
}

/** Runs the job process until `enough` says so of «passages segments», then kills it as a crash would; false when it never did. */
async function workUntil({ organizationId, userId }: Tenant, enough: (passages: number, segments: number) => boolean) {
  const args = [join(import.meta.dirname, "train-kill-child.ts"), dataDir, address ?? "-", organizationId, userId];
  const process_ = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  child = process_;
  const exited = once(process_, "exit");
  for await (const line of createInterface({ input: process_.stdout })) {
    const [split = 0, built = 0] = line.split(" ").map(Number);
    if (enough(split, built)) break;
  }
  process_.kill("SIGKILL");
  await exited;
}

test("a training that is killed loses nothing, and the next process ends it as if it had run through", {
  timeout: 120_000,
}, async () => {
  const tenant = await withDatabase(waitingTwin);
  const expected = Array.from({ length: DOCUMENTS }, (_, at) => splitPassages(textOf(at + 1)).length);
  const whole = expected.reduce((sum, count) => sum + count, 0);

  await workUntil(tenant, (split) => split >= whole * 0.3);
  await withDatabase(({ db }) =>
    asTenant(db, tenant, async (tx) => {
      const rows = await tx.select().from(documents).orderBy(asc(documents.name));
      for (const row of rows) {
        const own = await tx.select({ id: passages.id }).from(passages).where(eq(passages.documentId, row.id));
        const place = Number(row.name.split(" ")[1]);
        expect(own).toHaveLength(row.splitAt === null ? 0 : expected[place - 1]!);
      }
      expect(rows.filter((row) => row.splitAt !== null).length).toBeGreaterThanOrEqual(DOCUMENTS * 0.3);
    }),
  );

  // The queue notices after ten seconds that the process is gone, and gives the job to the next.
  await workUntil(tenant, (_, segments) => segments > 0);
  await withDatabase(({ db }) =>
    asTenant(db, tenant, async (tx) => {
      const rows = await tx.select({ documentId: passages.documentId, ordinal: passages.ordinal }).from(passages);
      expect(rows).toHaveLength(whole);
      expect(new Set(rows.map((row) => `${row.documentId} ${row.ordinal}`)).size).toBe(whole);
      const segments = await tx.select({ units: indexSegments.units }).from(indexSegments);
      expect(segments.reduce((sum, segment) => sum + segment.units, 0)).toBe(whole);
      const query = "правило 299 темы 30";
      const hits = await searchTwin(tx, {
        twinId: tenant.twinId,
        query,
        audience: { kind: "owner" },
        kinds: ["passage"],
        limit: 1,
      });
      expect(hits[0]).toMatchObject({ documentName: "Тема 30", text: expect.stringContaining("Правило 299 темы 30") });
    }),
  );
});
