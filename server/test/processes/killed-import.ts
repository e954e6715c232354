/** An import whose process is killed, and then compared with one that was left alone. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { jobData } from "#server/imports/runs/imports.ts";
import { previewImport } from "#server/imports/runs/preview-import.ts";
import { runImport } from "#server/imports/runs/run-import.ts";
import { newName } from "#server/imports/uploads/uploads.ts";
import { asTenant, type OpenDatabase, openDatabase, type Tenant } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { chats, contacts, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { openFileStore } from "#server/platform/object-storage/open-file-store.ts";
import { onServer } from "../database.ts";
import { buildTenant, buildTwinRow } from "../factories/build-rows.ts";
import { type S3Server, startS3Server } from "../servers/s3-server.ts";
import { prepareDataFolder } from "./data-folder.ts";

const PER_CHAT = 500;
const log = createLog("silent");

let dataDir: string;
let address: string | null = null;
const children = new Set<ChildProcess>();

/** Where the files lie: in the data folder, or in S3-compatible storage. */
let storage: S3Server | null = null;
const filesOf = ({ db }: OpenDatabase) =>
  openFileStore({ dataDir, diskFloorBytes: 0, storage: storage?.storage ?? null }, db);

/** Opens the database in this process: an embedded one belongs to one process at a time. */
async function withDatabase<T>(work: (opened: OpenDatabase) => Promise<T>): Promise<T> {
  const opened = await openDatabase({ databaseUrl: address, dataDir, pool: 3 });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Many small chats, with questions and answers that differ. */
function generateExport(total: number): string {
  const list = Array.from({ length: total / PER_CHAT }, (_, chat) => ({
    name: `Собеседник ${chat}`,
    type: "personal_chat",
    id: 1000 + chat,
    messages: Array.from({ length: PER_CHAT }, (_, place) => ({
      id: place + 1,
      type: "message",
      date: "2024-01-01T00:00:00",
      date_unixtime: String(1_704_000_000 + place * 60),
      from: place % 3 === 1 ? "Я" : `Собеседник ${chat}`,
      from_id: place % 3 === 1 ? "user1" : `user${1000 + chat}`,
      text: place % 3 === 1 ? `ответ ${chat} на ${place}` : `вопрос ${chat} номер ${place}`,
    })),
  }));
  return JSON.stringify({ personal_information: { user_id: 1 }, chats: { list } });
}

/** An import as it stands behind its preview, with everything chosen and its job waiting. */
async function startedImport(opened: OpenDatabase, tenant: Tenant, content: string, total: number): Promise<string> {
  const { db } = opened;
  const jobs = await openJobs(opened, log);
  const storedName = newName();
  await filesOf(opened).write(storedName, Readable.from([Buffer.from(content)]));
  const orgId = tenant.organizationId;
  const id = await asTenant(db, tenant, async (tx) => {
    const twinId = await buildTwinRow(tx, tenant);
    const row = { orgId, twinId, userId: tenant.userId, fileName: "result.json", storedName };
    const [created] = await tx
      .insert(imports)
      .values({ ...row, status: "reading", format: "telegram-json" })
      .returning();
    return created!.id;
  });
  const deps = { db, jobs, files: filesOf(opened), log, config: { organizationBytes: 1e9 } };
  await previewImport(deps, jobData(tenant, id), new AbortController().signal);
  await asTenant(db, tenant, async (tx) => {
    const chatIds = Array.from({ length: total / PER_CHAT }, (_, chat) => `user${1000 + chat}`);
    await tx.update(imports).set({ status: "running", ownerId: "user1", chatIds }).where(eq(imports.id, id));
    await jobs.enqueue(tx, "run-import", jobData(tenant, id));
  });
  await jobs.stop(0);
  return id;
}

/** Runs a process on the import until `enough` says so of a line of its, then kills it outright. */
async function runUntil(
  tenant: Tenant,
  importId: string,
  how: "queue" | "at-once",
  enough: (status: string, processed: number) => boolean,
): Promise<number> {
  const script = join(import.meta.dirname, "import-kill-child.ts");
  const values = [dataDir, address ?? "-", how, tenant.organizationId, tenant.userId, importId];
  const child = spawn(process.execPath, [script, ...values], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...storage?.environment },
  });
  children.add(child);
  const ended = once(child, "exit");
  let processed = -1;
  for await (const line of createInterface({ input: child.stdout })) {
    const [status = "", count] = line.split(" ");
    processed = Number(count);
    if (enough(status, processed)) break;
  }
  child.kill("SIGKILL");
  await ended;
  children.delete(child);
  return processed;
}

/** Everything an import leaves behind but the numbers that a database gives. */
async function resultOf({ db }: OpenDatabase, tenant: Tenant, importId: string) {
  return asTenant(db, tenant, async (tx) => {
    const [row] = await tx.select().from(imports).where(eq(imports.id, importId));
    const { status, total, processed, imported, duplicates, twinId } = row!;
    const stored = await tx
      .select({
        chat: chats.externalId,
        id: messages.externalId,
        author: contacts.externalId,
        mine: messages.fromOwner,
        text: messages.text,
        at: messages.sentAt,
      })
      .from(messages)
      .innerJoin(chats, eq(chats.id, messages.chatId))
      .leftJoin(contacts, eq(contacts.id, messages.contactId))
      .where(eq(messages.twinId, twinId))
      .orderBy(chats.externalId, messages.sentAt, messages.id);
    const pairs = await tx
      .select({ incoming: replyExamples.incoming, reply: replyExamples.reply, at: replyExamples.repliedAt })
      .from(replyExamples)
      .where(eq(replyExamples.twinId, twinId))
      .orderBy(replyExamples.incoming, replyExamples.reply);
    return { status, total, processed, imported, duplicates, stored, pairs };
  });
}

interface KilledImport {
  place: "the data folder" | "s3";
  /** Number of messages, a multiple of 500. */
  total: number;
  /** How each process takes the import up that is killed. */
  kills: readonly ("queue" | "at-once")[];
}

/** For a file of its own: its hooks make the database. */
export function testKilledImport(title: string, { place, total, kills }: KilledImport): void {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "dt-kill-"));
    const snapshot = inject("databaseSnapshot");
    if ("path" in snapshot) return prepareDataFolder(dataDir);
    const url = new URL(snapshot.url);
    url.pathname = `/kill_${randomUUID().replaceAll("-", "")}`;
    address = url.href;
    await onServer(snapshot.url, `create database ${url.pathname.slice(1)} template ${snapshot.template}`);
  });

  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL");
    const snapshot = inject("databaseSnapshot");
    if (address !== null && !("path" in snapshot)) {
      await onServer(snapshot.url, `drop database if exists ${new URL(address).pathname.slice(1)} with (force)`);
    }
    await rm(dataDir, { recursive: true, force: true });
  });

  const timeout = 300_000 * kills.length;
  test(title, { timeout }, async () => {
    storage = place === "s3" ? await startS3Server() : null;
    onTestFinished(() => storage?.close());
    const content = generateExport(total);
    const { tenant, killedId, cleanId } = await withDatabase(async (opened) => {
      const tenant = await buildTenant(opened.db);
      const killedId = await startedImport(opened, tenant, content, total);
      const cleanId = await startedImport(opened, tenant, content, total);
      const jobs = await openJobs(opened, log);
      const deps = { db: opened.db, jobs, files: filesOf(opened), log, config: { organizationBytes: 1e9 } };
      await runImport(deps, jobData(tenant, cleanId), new AbortController().signal);
      await jobs.stop(0);
      return { tenant, killedId, cleanId };
    });

    let acknowledged = 0;
    for (const [at, how] of kills.entries()) {
      // A queue's worker dies with its job in hand; the next process takes the job over.
      const moment = ((at + Math.random()) * total) / (kills.length + 1);
      let first: number | undefined;
      const processed = await runUntil(tenant, killedId, how, (_, done) => {
        first ??= done;
        return done > 0 && done >= moment;
      });
      expect(first).toBeGreaterThanOrEqual(acknowledged);
      expect(processed).toBeLessThan(total);
      acknowledged = processed;
    }
    await runUntil(tenant, killedId, "queue", (status) => status === "done");

    await withDatabase(async (opened) => {
      const clean = await resultOf(opened, tenant, cleanId);
      expect(clean).toMatchObject({ status: "done", processed: total, imported: total, duplicates: 0 });
      expect(clean.stored).toHaveLength(total);
      expect(clean.pairs.length).toBeGreaterThan(total / 4);
      expect(await resultOf(opened, tenant, killedId)).toEqual(clean);
    });
  });
}
