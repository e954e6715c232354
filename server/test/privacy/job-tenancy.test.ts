/** A background job has exactly its tenant's access, whatever ids its data contains. */
import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { storeInbound } from "#server/inbox/incoming/inbox.ts";
import { asTenant, type Tenant } from "#server/platform/db/database.ts";
import { ownerChats } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { dataExports } from "#server/platform/db/schema/operations.ts";
import { JOB_RULES, type JobName } from "#server/platform/jobs/catalogue.ts";
import { jobHandlers } from "#server/workers.ts";
import { ENDPOINT_CASES } from "../endpoints/endpoint-cases.ts";
import { makeThings } from "../endpoints/make-things.ts";
import { recordRowChanges } from "../endpoints/row-changes.ts";
import { send } from "../endpoints/send-case.ts";
import type { Things } from "../endpoints/things.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";

interface WaitingJob {
  name: JobName;
  data: Record<string, string>;
}

let t: TestApp;
let owner: TestClient;
let stranger: TestClient;
let own: Things;
let foreign: Things;
let foreignExport: string;
let foreignChat: string;
/** One of each kind, all with something left to do. */
let waiting: WaitingJob[];
let rowChanges: () => Promise<string[]>;

beforeAll(async () => {
  t = await testApp();
  owner = await t.signUp();
  stranger = await t.signUp();
  own = await makeThings(t, owner);
  foreign = await makeThings(t, stranger);
  await t.services.jobs.stop(2000);
  for (const key of [
    "POST /api/knowledge/upload",
    "POST /api/knowledge/websites/:id/read",
    "POST /api/imports",
    "POST /api/imports/:id/start",
    "POST /api/approvals/:id/approve",
    "POST /api/digital-twins/:id/webhooks/:webhookId/test",
    "POST /api/digital-twins/:id/quality/measure",
    "POST /api/digital-twins/:id/corrections/replay",
    "POST /api/account/export",
  ]) {
    for (const [client, things] of [
      [owner, own],
      [stranger, foreign],
    ] as const) {
      const answer = await send(client, ENDPOINT_CASES[key]!, key, things);
      expect(answer.statusCode, answer.body).toBeLessThan(300);
    }
  }
  for (const [client, things] of [
    [owner, own],
    [stranger, foreign],
  ] as const) {
    const { integrationId, importId, twinId } = things;
    await storeInbound(t.services, { id: integrationId, ...tenantOf(client) }, QUESTION);
    // Its call wants an account that has signed in.
    const data = { ...tenantOf(client), importId };
    await asTenant(t.services.db, data, (tx) => t.services.jobs.enqueue(tx, "import-account", data));
    const asked = { ...tenantOf(client), integrationId, ask: randomUUID(), passed: 0, until: Date.now() + 3600_000 };
    await asTenant(t.services.db, data, (tx) => t.services.jobs.enqueue(tx, "list-dialogs", asked));
    // Linked in Telegram alone.
    const { organizationId: orgId, userId } = client.caller;
    await asTenant(t.services.db, data, async (tx) => {
      const [chat] = await tx.insert(ownerChats).values({ orgId, userId, integrationId, chatId: "5" }).returning();
      await t.services.jobs.enqueue(tx, "notify-owner", { ...tenantOf(client), ownerChatId: chat!.id });
      // In the end the stranger's: an act waits to be shown in either.
      foreignChat = chat!.id;
    });
    // The sweep finds who is due.
    await asTenant(t.services.db, data, (tx) => t.services.jobs.enqueue(tx, "notify-member", tenantOf(client)));
    // Its call wants a connected model.
    await asTenant(t.services.db, data, (tx) => t.services.jobs.enqueue(tx, "take-exam", tenantOf(client)));
    // Its call wants documents or letters that are read already.
    const examined = { ...tenantOf(client), twinId };
    await asTenant(t.services.db, examined, (tx) => t.services.jobs.enqueue(tx, "take-twin-exam", examined));
    // Its call wants a model in use.
    const shared = { ...tenantOf(client), model: randomUUID() };
    await asTenant(t.services.db, shared, (tx) => t.services.jobs.enqueue(tx, "take-shared-exam", shared));
    // Nor is there an embeddings endpoint here, which would ask for this one.
    const learning = { ...tenantOf(client), twinId };
    await asTenant(t.services.db, learning, (tx) => t.services.jobs.enqueue(tx, "learn-embeddings", learning));
    const due = Date.now() - 1;
    const waking = { ...tenantOf(client), conversationId: things.talkId, at: due };
    await asTenant(t.services.db, waking, async (tx) => {
      await tx
        .update(conversations)
        .set({ snoozedUntil: new Date(due) })
        .where(eq(conversations.id, things.talkId));
      await t.services.jobs.enqueue(tx, "wake-conversation", waking);
    });
    // The sweep asks for it.
    const filling = { ...tenantOf(client), connectionId: things.crmId };
    await asTenant(t.services.db, filling, (tx) => t.services.jobs.enqueue(tx, "fill-crm", filling));
    // It comes through a platform that gives files.
    const reading = { ...tenantOf(client), integrationId, mediaId: things.mediaId };
    await asTenant(t.services.db, reading, async (tx) => {
      await tx.update(mediaFiles).set({ state: "waiting" }).where(eq(mediaFiles.id, things.mediaId));
      await t.services.jobs.enqueue(tx, "read-media", reading);
    });
    const looking = { ...tenantOf(client), mediaId: things.originalId };
    await asTenant(t.services.db, looking, async (tx) => {
      await tx.update(mediaFiles).set({ state: "waiting" }).where(eq(mediaFiles.id, looking.mediaId));
      await t.services.jobs.enqueue(tx, "read-original", looking);
    });
    const listening = { ...tenantOf(client), mediaId: things.importedId };
    await asTenant(t.services.db, listening, async (tx) => {
      await tx.update(mediaFiles).set({ state: "waiting" }).where(eq(mediaFiles.id, listening.mediaId));
      await t.services.jobs.enqueue(tx, "read-imported", listening);
    });
    // A training asks for it, and none has run.
    await asTenant(t.services.db, learning, (tx) => t.services.jobs.enqueue(tx, "find-facts", learning));
    await asTenant(t.services.db, learning, (tx) => t.services.jobs.enqueue(tx, "close-gaps", learning));
  }
  const { rows } = await t.services.db.execute(
    sql`select name, data from jobs.job where state = 'created' and data->>'organizationId' = ${owner.caller.organizationId}`,
  );
  waiting = rows as unknown as WaitingJob[];
  const { organizationId } = stranger.caller;
  const [asked] = await t.services.db.select().from(dataExports).where(eq(dataExports.orgId, organizationId));
  foreignExport = asked!.id;
  rowChanges = await recordRowChanges(t.services.db);
});
afterAll(() => t.close());

const QUESTION: Inbound = {
  eventId: "1",
  conversation: "5",
  position: 1,
  peer: { id: "user5", name: "Иван" },
  text: "Когда привезёте?",
  attachments: [],
  sentAt: new Date().toISOString(),
  automated: false,
};

const tenantOf = ({ caller: { organizationId, userId } }: TestClient): Tenant => ({ organizationId, userId });

function run({ name, data }: WaitingJob, changes: object): Promise<void> {
  const handle = jobHandlers(t.services)[name] as (data: unknown, signal: AbortSignal) => Promise<void>;
  return handle({ ...data, ...changes }, new AbortController().signal);
}

test("every kind of job is enqueued with its organisation and user, and a new kind needs a call in this test", () => {
  expect(waiting.map(({ name }) => name).sort()).toEqual(Object.keys(JOB_RULES).sort());
  for (const { data } of waiting) expect(data).toMatchObject(tenantOf(owner));
});

test("a job of one organisation that names another's rows finds nothing and changes nothing", async () => {
  await rowChanges();
  for (const job of waiting) await run(job, tenantOf(stranger));
  // An id of another organisation inside a job of one's own is no way in either.
  for (const job of waiting) {
    const data = { ...job.data, ...foreign, exportId: foreignExport, ownerChatId: foreignChat };
    await run({ ...job, data }, tenantOf(owner));
  }
  expect(await rowChanges()).toEqual([]);
});

test.each([
  ["no tenant", { organizationId: undefined, userId: undefined }],
  ["an empty one", { organizationId: "", userId: "" }],
  ["a quotation mark in it", { organizationId: "' or true --" }],
])("a job with %s is refused before it reads anything", async (_, changes) => {
  await rowChanges();
  for (const job of waiting) await expect(run(job, changes)).rejects.toThrow(TypeError);
  expect(await rowChanges()).toEqual([]);
});

test("a job writes under row-level security, and the right organisation's job does its work", async () => {
  const { db } = t.services;
  await db.execute(sql`
    create function refuse_other_roles() returns trigger language plpgsql as $$
    begin
      if current_user <> 'dt_request' then raise exception '% written by %', tg_table_name, current_user; end if;
      return new;
    end $$`);
  const { rows } = await db.execute(
    sql`select tablename as name from pg_policies where policyname = 'tenant' and schemaname = 'public'`,
  );
  for (const { name } of rows as { name: string }[]) {
    await db.execute(
      sql`create trigger only_requests before insert or update on ${sql.identifier(name)}
        for each row execute function refuse_other_roles()`,
    );
  }
  await expect(
    db.execute(sql`insert into daily_usage (org_id, twin_id, day)
      values (${owner.caller.organizationId}, ${own.twinId}, '2026-01-01')`),
  ).rejects.toThrow();

  for (const name of ["preview-import", "run-import", "read-website", "train-twin", "send-outbox"] as const) {
    await run(waiting.find((job) => job.name === name)!, {});
  }
  // The contact might have gone on writing: the first run may only ask for a later one.
  const answered = async () => {
    await run(waiting.find((job) => job.name === "process-inbox")!, {});
    return (await owner.get("/api/approvals")).json();
  };
  const imports = (await owner.get("/api/imports")).json() as { status: string }[];
  expect(imports.map(({ status }) => status).sort()).toEqual(["done", "preview"]);
  expect((await owner.get(`/api/digital-twins/${own.twinId}`)).json()).toMatchObject({ status: "ready" });
  expect((await owner.get(`/api/digital-twins/${own.twinId}/training`)).json().error).toBeFalsy();
  await expect.poll(answered, { timeout: 5000 }).toMatchObject([{ question: "Когда привезёте?", state: "draft" }]);
});
