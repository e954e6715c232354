/** Work that crashes the process each time is given up; work that returns, even with an error, is not. */
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { embeddingRuns, trainingRuns } from "#server/accounts/twins/twin-runs.ts";
import { resumeTraining, trainTwin } from "#server/answers/training/train-twin.ts";
import { importRuns } from "#server/imports/runs/import-runs.ts";
import { importJobs } from "#server/imports/runs/jobs.ts";
import { resumeImports } from "#server/imports/runs/sweep-imports.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { jobHandlers } from "#server/workers.ts";
import { type CrashCounter, MAX_CRASHED_RUNS, runWithCrashLimit } from "./crash-limit.ts";

let t: TestApp;
const calm = new AbortController().signal;
beforeAll(async () => {
  t = await testApp();
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

async function owner() {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const { organizationId, userId } = client.caller;
  const twin = async () =>
    (await asTenant(t.services.db, client.caller, (tx) => tx.select().from(twins).where(eq(twins.id, twinId))))[0]!;
  const teach = async (name: string) => {
    const content = `${name}: правило говорит о том, как быть с доставкой и возвратом. `.repeat(4);
    const document = { digitalTwinId: twinId, name, type: "faq", content };
    expect((await client.post("/api/knowledge/upload", document)).statusCode).toBe(201);
  };
  return { client, twinId, data: { organizationId, userId, twinId }, twin, teach };
}

/** Imitates a crash: `begun` is called, and the work never returns. */
async function killedDuring(run: (begun: () => Promise<never>) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    run(() => {
      resolve();
      return new Promise<never>(() => {});
    }).then(() => reject(new Error("it was not begun")), reject);
  });
}
const waiting = async (name: string) =>
  (await t.services.db.execute(sql`select 1 from jobs.job where name = ${name} and state = 'created'`)).rows.length;
const forgetJobs = () => t.services.db.execute(sql`delete from jobs.job`);

test("a training that has ended the process three times is given up and not restarted, until new knowledge comes", async () => {
  const ann = await owner();
  await ann.teach("Отрава");
  for (let run = 1; run <= MAX_CRASHED_RUNS; run++) {
    await killedDuring((begun) =>
      runWithCrashLimit(t.services.db, ann.data, trainingRuns(ann.twinId), () =>
        trainTwin({ ...t.services, onStep: begun }, ann.data, calm),
      ),
    );
    expect((await ann.twin()).trainingCutOff).toBe(run);
  }
  await forgetJobs();
  await resumeTraining(t.services);
  expect(await waiting("train-twin")).toBe(1);
  await jobHandlers(t.services)["train-twin"](ann.data, calm);
  const given = await ann.twin();
  expect(given).toMatchObject({ trainingStage: null, trainedRevision: -1 });
  expect(given.trainingError).toContain("трижды обрывалось");
  await forgetJobs();
  await resumeTraining(t.services);
  expect(await waiting("train-twin")).toBe(0);
  expect((await ann.twin()).trainingError).toBe(given.trainingError);

  await ann.teach("Другое");
  expect(await waiting("train-twin")).toBe(1);
  await jobHandlers(t.services)["train-twin"](ann.data, calm);
  expect(await ann.twin()).toMatchObject({ status: "ready", trainingError: null, trainingCutOff: 0 });
});

test("a training that has split a document since the last interruption counts its runs anew", async () => {
  const ann = await owner();
  for (const name of ["Один", "Два", "Три", "Четыре", "Пять"]) await ann.teach(name);
  for (let run = 0; run <= MAX_CRASHED_RUNS; run++) {
    let steps = 0;
    // Entering the stage is the first step of progress, the document is the second.
    await killedDuring((begun) =>
      runWithCrashLimit(t.services.db, ann.data, trainingRuns(ann.twinId), () =>
        trainTwin({ ...t.services, onStep: () => (++steps === 2 ? begun() : undefined) }, ann.data, calm),
      ),
    );
  }
  await jobHandlers(t.services)["train-twin"](ann.data, calm);
  expect(await ann.twin()).toMatchObject({ status: "ready", trainingError: null });
});

const EXPORT = JSON.stringify({
  name: "Иван",
  type: "personal_chat",
  id: 7,
  messages: [
    { id: 1, type: "message", date_unixtime: "1700000000", from: "Иван", from_id: "user7", text: "Где заказ?" },
    { id: 2, type: "message", date_unixtime: "1700000060", from: "Я", from_id: "user1", text: "Уже в пути" },
  ],
});
async function uploaded(client: TestClient, digitalTwinId: string): Promise<ImportState> {
  const form = new FormData();
  form.append("digitalTwinId", digitalTwinId);
  form.append("file", new Blob([EXPORT]), "result.json");
  const encoded = new Response(form);
  const headers = { "content-type": encoded.headers.get("content-type")! };
  const payload = Buffer.from(await encoded.arrayBuffer());
  const answer = await client.inject({ method: "POST", url: "/api/imports", payload, headers });
  expect(answer.statusCode, answer.body).toBe(202);
  return answer.json();
}

test("an import that has ended the process three times fails and is not restarted, and its owner may try again", async () => {
  const ann = await owner();
  const { organizationId, userId } = ann.data;
  const { id } = await uploaded(ann.client, ann.twinId);
  const data = { organizationId, userId, importId: id };
  const handle = importJobs(t.services);
  const cutOff = async () => {
    for (let run = 0; run < MAX_CRASHED_RUNS; run++) {
      await killedDuring((begun) => runWithCrashLimit(t.services.db, data, importRuns(id), begun));
    }
  };
  const shown = async (): Promise<ImportState> => (await ann.client.get(`/api/imports/${id}`)).json();
  const start = () => ann.client.post(`/api/imports/${id}/start`, { ownerId: "user1", consent: true });
  await handle["preview-import"](data, calm);
  expect((await start()).json()).toMatchObject({ status: "running" });
  await cutOff();
  await forgetJobs();
  await resumeImports(t.services);
  expect(await waiting("run-import")).toBe(1);
  await handle["run-import"](data, calm);
  expect(await shown()).toMatchObject({ status: "failed", imported: 0, error: expect.stringContaining("трижды") });
  await forgetJobs();
  await resumeImports(t.services);
  expect(await waiting("run-import")).toBe(0);
  expect((await start()).json()).toMatchObject({ status: "running" });
  await handle["run-import"](data, calm);
  const done = await shown();
  expect(done).toMatchObject({ status: "done", imported: 2 });
  expect(done).not.toHaveProperty("error");
});

test("a file that ends the process while it is read fails and must be sent again", async () => {
  const ann = await owner();
  const { organizationId, userId } = ann.data;
  const { id } = await uploaded(ann.client, ann.twinId);
  const data = { organizationId, userId, importId: id };
  for (let run = 0; run < MAX_CRASHED_RUNS; run++) {
    await killedDuring((begun) => runWithCrashLimit(t.services.db, data, importRuns(id), begun));
  }
  await importJobs(t.services)["preview-import"](data, calm);
  const [row] = await t.services.db.select().from(imports).where(eq(imports.id, id));
  expect(row).toMatchObject({ status: "failed", storedName: null });
});

test("embeddings that end the process are given up with a sentence for the owner", async () => {
  const ann = await owner();
  for (let run = 0; run < MAX_CRASHED_RUNS; run++) {
    await killedDuring((begun) => runWithCrashLimit(t.services.db, ann.data, embeddingRuns(ann.twinId), begun));
  }
  const never = () => Promise.reject(new Error("begun"));
  await runWithCrashLimit(t.services.db, ann.data, embeddingRuns(ann.twinId), never);
  expect((await ann.twin()).embeddingError).toContain("трижды обрывалось");
});

test("a run that returns with an error is not counted as interrupted, even if the database is away at that moment", async () => {
  const ann = await owner();
  const { db } = t.services;
  const runs = trainingRuns(ann.twinId);
  const fails = () => Promise.reject(new Error("away"));
  const away: CrashCounter = { ...runs, add: (tx, change) => (change < 0 ? fails() : runs.add(tx, change)) };
  for (let run = 0; run < 2 * MAX_CRASHED_RUNS; run++) {
    await expect(runWithCrashLimit(db, ann.data, run % 2 ? runs : away, fails)).rejects.toThrow("away");
  }
  expect(await ann.twin()).toMatchObject({ trainingCutOff: 0, trainingError: null });
});
