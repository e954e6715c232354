import { randomUUID } from "node:crypto";
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StyleProfile, TwinQuality } from "#contract/quality.ts";
import { ensureChat, ensureContacts, ensureSource, storeMessages } from "#server/knowledge/messages/messages.ts";
import { searchTwin } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { chunks, contacts, documents, indexSegments } from "#server/platform/db/schema/knowledge.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { buildContact } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { resumeTraining, type TrainingStep, trainTwin } from "./train-twin.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // The tests run the job themselves.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

const calm = new AbortController().signal;

interface Owner {
  client: TestClient;
  twinId: string;
  train(onStep?: (step: TrainingStep) => void | Promise<void>, signal?: AbortSignal): Promise<void>;
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  twin(): Promise<typeof twins.$inferSelect>;
}

async function owner(): Promise<Owner> {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const { organizationId, userId } = client.caller;
  const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, client.caller, work);
  return {
    client,
    twinId,
    run,
    train: (onStep = () => {}, signal = calm) =>
      trainTwin({ ...t.services, onStep }, { organizationId, userId, twinId }, signal),
    twin: async () => (await run((tx) => tx.select().from(twins).where(eq(twins.id, twinId))))[0]!,
  };
}

const content = (subject: string) =>
  Array.from(
    { length: 40 },
    (_, at) => `${subject}: правило номер ${at} говорит о случае ${at * 7} и о том, как быть.`,
  ).join("\n\n");

async function addDocuments({ client, twinId }: Owner, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const subject = `Тема${"абвгдежзик"[at]}`;
    const document = { digitalTwinId: twinId, name: subject, type: "faq", content: content(subject) };
    ids.push((await client.post("/api/knowledge/upload", document)).json().id);
  }
  return ids;
}

async function addTalk(
  { client, twinId, run }: Owner,
  turns: number,
  { name, said } = { name: "Олег", said: "ну да, щас гляну)" },
): Promise<void> {
  const tenant = client.caller;
  await run(async (tx) => {
    const sourceId = await ensureSource(tx, tenant, twinId, {
      kind: "export",
      platform: "telegram",
      externalId: "1",
      name: "Выгрузка",
    });
    const place = { twinId, sourceId, platform: "telegram" };
    const people = await ensureContacts(tx, tenant, place, [{ externalId: name, name }]);
    const chatId = await ensureChat(tx, tenant, place, { externalId: name, kind: "private", name });
    const lines = Array.from({ length: turns * 2 }, (_, at) => ({
      chatId,
      contactId: at % 2 === 0 ? people.get(name)! : null,
      fromOwner: at % 2 === 1,
      externalId: String(at),
      replyTo: null,
      kind: "text" as const,
      text: at % 2 === 0 ? `вопрос ${at}?` : said,
      sentAt: new Date(Date.UTC(2024, 0, 1) + at * 60_000),
    }));
    await storeMessages(tx, tenant, place, lines);
    await tx
      .update(twins)
      .set({ knowledgeRevision: sql`${twins.knowledgeRevision} + 1` })
      .where(eq(twins.id, twinId));
  });
}

/** Calls `act` once after this many documents were split; the training awaits it. */
function afterSplitting(documents: number, act: () => unknown): (step: TrainingStep) => Promise<void> {
  let split = -1;
  return async ({ stage }) => {
    // Entering the stage is its first step; each document is another.
    if (stage === "Разбираем документы" && ++split === documents) await act();
  };
}

describe("training a twin", () => {
  test("learns a document that is added while the others are being split", async () => {
    const ann = await owner();
    await addDocuments(ann, 8);
    const late = { digitalTwinId: ann.twinId, name: "Позже", type: "faq", content: content("Опоздавшая") };
    let id = "";
    await ann.train(
      afterSplitting(1, async () => {
        id = (await ann.client.post("/api/knowledge/upload", late)).json().id;
      }),
    );
    await ann.train();
    const learned = await ann.run((tx) => tx.select().from(chunks).where(eq(chunks.documentId, id)));
    expect(learned.length).toBeGreaterThan(0);
    const hits = await ann.run((tx) =>
      searchTwin(tx, {
        twinId: ann.twinId,
        query: "опоздавшая",
        audience: { kind: "owner" },
        kinds: ["chunk"],
        limit: 1,
      }),
    );
    expect(hits[0]).toMatchObject({ documentName: "Позже" });
  });

  test("splits its documents once, indexes them and reports its progress", async () => {
    const ann = await owner();
    await addDocuments(ann, 2);
    expect(await ann.twin()).toMatchObject({ trainingStage: "В очереди", trainingProgress: 0, status: "training" });
    await ann.train();
    const twin = await ann.twin();
    expect(twin).toMatchObject({
      status: "ready",
      trainingStage: null,
      trainingProgress: 1,
      trainingError: null,
      styleProfile: null,
      trainedRevision: twin.knowledgeRevision,
    });
    const rows = await ann.run((tx) => tx.select().from(chunks).where(eq(chunks.twinId, ann.twinId)));
    expect(rows.length).toBeGreaterThan(2);
    const segments = await ann.run((tx) => tx.select().from(indexSegments).where(eq(indexSegments.twinId, ann.twinId)));
    expect(segments.reduce((sum, segment) => sum + segment.units, 0)).toBe(rows.length);
  });

  test("ends at once when nothing has changed", async () => {
    const ann = await owner();
    await addDocuments(ann, 1);
    await ann.train();
    const before = await ann.twin();
    await ann.train();
    expect(await ann.twin()).toEqual(before);
    const done = await ann.run((tx) =>
      tx
        .select()
        .from(activity)
        .where(and(eq(activity.twinId, ann.twinId), eq(activity.type, "training_completed"))),
    );
    expect(done).toHaveLength(1);
  });

  test("measures how the owner writes over the whole history", async () => {
    const ann = await owner();
    await addTalk(ann, 2500);
    await addTalk(ann, 100, { name: "Вера Ильина", said: "Здравствуйте. Отправляю вам договор." });
    await ann.train();
    const twin = await ann.twin();
    expect(twin.status).toBe("ready");
    const profile = twin.styleProfile as StyleProfile;
    expect(profile).toMatchObject({ messages: 2600, chats: 2, lowerCaseStart: { share: 0.9615 } });
    expect(profile.fillers.top[0]).toMatchObject({ text: "ну" });

    // The twin writes differently to the contacts to whom the owner does.
    const quality: TwinQuality = (await ann.client.get(`/api/digital-twins/${ann.twinId}/quality`)).json();
    expect(quality.groups).toMatchObject([
      { address: null, names: ["Олег"], contacts: 1, profile: { messages: 2500, length: { median: 17 } } },
      {
        address: "вы",
        names: ["Вера Ильина"],
        contacts: 1,
        profile: { messages: 100, lowerCaseStart: { share: 0.0874 } },
      },
    ]);
    // One person on a further channel is no second person.
    await ann.run(async (tx) => {
      const [vera] = await tx
        .update(contacts)
        .set({ personId: randomUUID() })
        .where(and(eq(contacts.twinId, ann.twinId), eq(contacts.name, "Вера Ильина")))
        .returning();
      const { orgId, twinId, personId, styleGroup } = vera!;
      await buildContact(tx, { orgId, twinId }, { name: "vera", personId, styleGroup });
    });
    const { groups }: TwinQuality = (await ann.client.get(`/api/digital-twins/${ann.twinId}/quality`)).json();
    expect(groups[1]).toMatchObject({ names: ["Вера Ильина"], contacts: 1 });
    await ann.run((tx) => tx.delete(contacts).where(and(eq(contacts.twinId, ann.twinId), eq(contacts.name, "vera"))));
    const placed = await ann.run((tx) =>
      tx
        .select({ name: contacts.name, key: contacts.styleGroup })
        .from(contacts)
        .where(eq(contacts.twinId, ann.twinId)),
    );
    expect(new Map(placed.map(({ name, key }) => [name, key]))).toEqual(
      new Map([
        ["Олег", quality.groups[0]!.key],
        ["Вера Ильина", quality.groups[1]!.key],
      ]),
    );
  });

  test("leaves a twin without messages of the owner and without chunks in training", async () => {
    const ann = await owner();
    await ann.run((tx) => tx.update(twins).set({ knowledgeRevision: 1 }).where(eq(twins.id, ann.twinId)));
    await ann.train();
    expect(await ann.twin()).toMatchObject({
      status: "training",
      lastTrainedAt: null,
      trainingStage: null,
      trainedRevision: 1,
    });
  });

  test("continues after an interruption with what is left", async () => {
    const ann = await owner();
    await addDocuments(ann, 6);
    const splitIds = () =>
      ann.run((tx) =>
        tx
          .select({ id: documents.id, splitAt: documents.splitAt })
          .from(documents)
          .where(and(eq(documents.twinId, ann.twinId), isNotNull(documents.splitAt)))
          .orderBy(asc(documents.splitAt)),
      );
    const stop = new AbortController();
    await expect(
      ann.train(
        afterSplitting(2, () => stop.abort()),
        stop.signal,
      ),
    ).rejects.toThrow();
    const split = await splitIds();
    expect(split).toHaveLength(2);
    expect((await ann.twin()).trainingError).toBeNull();
    const kept = await ann.run((tx) =>
      tx.select({ id: chunks.id }).from(chunks).where(eq(chunks.documentId, split[0]!.id)).orderBy(chunks.id),
    );

    await ann.train();

    expect(await splitIds()).toHaveLength(6);
    expect((await splitIds()).slice(0, split.length)).toEqual(split);
    const again = await ann.run((tx) =>
      tx.select({ id: chunks.id }).from(chunks).where(eq(chunks.documentId, split[0]!.id)).orderBy(chunks.id),
    );
    expect(again).toEqual(kept);
    expect((await ann.twin()).status).toBe("ready");
  });

  test("shows a failure in Russian and keeps what was ready, and the next run repairs it", async () => {
    const ann = await owner();
    await addDocuments(ann, 1);
    await ann.train();
    await addDocuments(ann, 2);
    const { db } = t.services;
    await db.execute(sql`alter table chunks add constraint broken check (text not like '%Темаб%') not valid`);
    await expect(ann.train()).rejects.toThrow();
    expect(await ann.twin()).toMatchObject({
      status: "ready",
      trainingStage: null,
      trainingError: "Обучение не завершилось: внутренняя ошибка. Мы повторим его позже.",
    });
    expect((await ann.client.get(`/api/digital-twins/${ann.twinId}/training`)).json()).toMatchObject({
      running: false,
      error: "Обучение не завершилось: внутренняя ошибка. Мы повторим его позже.",
    });
    await db.execute(sql`alter table chunks drop constraint broken`);
    await ann.train();
    expect(await ann.twin()).toMatchObject({ trainingError: null, status: "ready" });
    const hits = await ann.run((tx) =>
      searchTwin(tx, {
        twinId: ann.twinId,
        query: "Темаб правило",
        audience: { kind: "owner" },
        kinds: ["chunk"],
        limit: 1,
      }),
    );
    expect(hits[0]).toMatchObject({ documentName: "Темаб" });
  });

  test("ends quietly when the twin is deleted meanwhile", async () => {
    const ann = await owner();
    await addDocuments(ann, 6);
    let deleted = 0;
    await ann.train(
      afterSplitting(1, async () => {
        deleted = (await ann.client.delete(`/api/digital-twins/${ann.twinId}`)).statusCode;
      }),
    );
    expect(deleted).toBe(204);
    for (const table of [chunks, documents, indexSegments]) {
      expect(await ann.run((tx) => tx.select().from(table).where(eq(table.twinId, ann.twinId)))).toEqual([]);
    }
  });

  test("is requested again when knowledge changes meanwhile", async () => {
    const ann = await owner();
    await addDocuments(ann, 6);
    await t.services.db.execute(sql`delete from jobs.job`);
    const late = { digitalTwinId: ann.twinId, name: "Позже", type: "faq", content: content("Позже") };
    let uploaded = 0;
    await ann.train(async ({ stage }) => {
      // The stage is entered once, and without messages it has no further steps.
      if (stage === "Изучаем стиль") uploaded = (await ann.client.post("/api/knowledge/upload", late)).statusCode;
    });
    expect(uploaded).toBe(201);
    const twin = await ann.twin();
    expect(twin.trainedRevision).toBeLessThan(twin.knowledgeRevision);
    expect(twin).toMatchObject({ status: "ready", trainingStage: "В очереди", trainingProgress: 0 });
    const { rows } = await t.services.db.execute(sql`select state from jobs.job where name = 'train-twin'`);
    expect(rows).toEqual([{ state: "created" }]);
  });

  test("is requested again at the start of the server where it was left unfinished", async () => {
    const ann = await owner();
    await addDocuments(ann, 1);
    await t.services.db.execute(sql`delete from jobs.job`);
    await resumeTraining(t.services);
    const { rows } = await t.services.db.execute(
      sql`select data->>'userId' as user from jobs.job where name = 'train-twin' and data->>'twinId' = ${ann.twinId}`,
    );
    expect(rows).toEqual([{ user: ann.client.caller.userId }]);
  });
});
