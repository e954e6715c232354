/** What several machines that share a database and a store of files do together. */
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExportUpload, ImportState } from "#contract/knowledge/imports.ts";
import { createApp } from "#server/app.ts";
import { jobData } from "#server/imports/runs/imports.ts";
import { previewImport } from "#server/imports/runs/preview-import.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { Disk } from "#server/platform/files/disk.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { FolderStore } from "#server/platform/files/folder-store.ts";
import { ObjectStore } from "#server/platform/object-storage/object-store.ts";
import { LoadShedder } from "#server/platform/process/load-shedder.ts";
import { buildTwinRow } from "#server/test/factories/build-rows.ts";
import { readZip } from "#server/test/files/read-zip.ts";
import { type S3Server, startS3Server } from "#server/test/servers/s3-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

/** Two machines that answer the web, and a third, `t`, that does the jobs; all on one database. */
export function describeMachines(kind: "folder" | "s3"): void {
  let s3: S3Server;
  let t: TestApp;
  let web: readonly [FastifyInstance, FastifyInstance];
  const folders: string[] = [];

  beforeAll(async () => {
    s3 = await startS3Server();
    t = await testApp(kind === "s3" ? { storage: s3.storage } : {});
    web = [await startMachine(), await startMachine()];
  });
  afterAll(async () => {
    for (const app of web) await app.close();
    await t.close();
    await s3.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function startMachine(): Promise<FastifyInstance> {
    const { db, config } = t.services;
    const dataDir = kind === "folder" ? config.dataDir : await mkdtemp(join(tmpdir(), "dt-machine-"));
    if (kind === "s3") folders.push(dataDir);
    const disk = new Disk({ dataDir, diskFloorBytes: 0 });
    const files: FileStore =
      kind === "folder"
        ? new FolderStore({ dataDir }, disk)
        : new ObjectStore({ db, dataDir, disk, storage: s3.storage, pieceBytes: 16 * 1024 });
    const services = { ...t.services, disk, files, config: { ...config, dataDir } };
    const app = await createApp(services, { checkAnswers: true, shedder: new LoadShedder(() => 0) });
    await app.ready();
    return app;
  }

  const onMachine = (app: FastifyInstance, { token }: TestClient) => ({
    get: (url: string) => app.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}` } }),
    post: (url: string, payload?: object) =>
      app.inject({ method: "POST", url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) }),
    delete: (url: string) => app.inject({ method: "DELETE", url, headers: { authorization: `Bearer ${token}` } }),
    append: (id: string, offset: number, payload: Buffer) =>
      app.inject({
        method: "PATCH",
        url: `/api/imports/uploads/${id}?offset=${offset}`,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" },
        payload,
      }),
  });

  const chatOf = (other: string, size: number) =>
    Buffer.from(
      Array.from(
        { length: size },
        (_, at) => `12.03.2024, 14:0${at % 10} - ${at % 2 ? "Пётр" : other}: реплика ${at}`,
      ).join("\n"),
    );
  const makeTwin = ({ caller }: TestClient): Promise<string> =>
    asTenant(t.services.db, caller, (tx) => buildTwinRow(tx, caller, { name: "Пётр" }));

  /** Whatever lies anywhere for this test's organisation: files that are in no folder, and objects that no row knows. */
  async function left(): Promise<string[]> {
    if (kind === "folder") return readdir(join(t.services.config.dataDir, "uploads")).catch(() => []);
    const { rows } = await t.services.db.execute(sql`select key from stored_pieces`);
    const known = rows.map(({ key }) => `${s3.storage.prefix}${key}`);
    return s3.objects === null ? known : [...new Set([...known, ...s3.objects.keys()])];
  }

  async function uploaded(client: TestClient, twinId: string, fileName: string, content: Buffer): Promise<string> {
    const [one, two] = web.map((app) => onMachine(app, client)) as [
      ReturnType<typeof onMachine>,
      ReturnType<typeof onMachine>,
    ];
    const begun = await one.post("/api/imports/uploads", {
      ...{ digitalTwinId: twinId, fileName, bytes: content.length, modified: 1 },
    });
    const { id } = begun.json<ExportUpload>();
    const third = Math.floor(content.length / 3);
    expect((await two.append(id, 0, content.subarray(0, third))).json()).toMatchObject({ offset: third });
    // The same piece once more, by way of the other machine, as after an answer that was lost.
    expect((await one.append(id, 0, content.subarray(0, third))).json()).toMatchObject({ code: "offset_differs" });
    expect((await one.get(`/api/imports/uploads/${id}`)).json()).toMatchObject({ offset: third });
    expect((await one.append(id, third, content.subarray(third, 2 * third))).statusCode).toBe(200);
    const whole = await two.append(id, 2 * third, content.subarray(2 * third));
    expect(whole.json()).toMatchObject({ offset: content.length, format: "whatsapp-txt" });
    return id;
  }

  test("an upload whose pieces reach both is imported by the third, and nothing of it is left", async () => {
    const ann = await t.signUp();
    const twinId = await makeTwin(ann);
    const uploadIds = [
      await uploaded(ann, twinId, "1.txt", chatOf("Анна", 1200)),
      await uploaded(ann, twinId, "2.txt", chatOf("Борис", 800)),
    ];
    const [one, two] = web.map((app) => onMachine(app, ann));
    // Two machines get a request with the same files at once: only one of them makes the import.
    const both = await Promise.all(
      [one!, two!].map((machine) => machine.post("/api/imports/from-uploads", { uploadIds })),
    );
    const statuses = both.map(({ statusCode }) => statusCode).sort();
    expect(statuses[0], both.map(({ body }) => body).join()).toBeLessThan(300);
    expect([404, 409]).toContain(statuses[1]);
    const [made] = both.find(({ statusCode }) => statusCode < 300)!.json<ImportState[]>();
    await t.jobsIdle();
    const read = (await one!.get(`/api/imports/${made!.id}`)).json<ImportState>();
    expect(read).toMatchObject({ status: "preview", total: 2000, suggestedOwner: "Пётр" });
    await two!.post(`/api/imports/${made!.id}/start`, { ownerId: "Пётр", consent: true });
    await t.jobsIdle();
    expect((await two!.get(`/api/imports/${made!.id}`)).json()).toMatchObject({ status: "done", imported: 2000 });
    expect(await left()).toEqual([]);
  });

  test("an export that the third has made is downloaded from either, by its owner alone, and taken back everywhere", async () => {
    const ann = await t.signUp();
    await makeTwin(ann);
    const [one, two] = web.map((app) => onMachine(app, ann));
    expect((await one!.post("/api/account/export")).statusCode).toBe(202);
    await t.jobsIdle();
    for (const machine of [one!, two!]) {
      const file = await machine.get("/api/account/export/file");
      expect(file.statusCode).toBe(200);
      expect(Number(file.headers["content-length"])).toBe(file.rawPayload.length);
      expect((await readZip(file.rawPayload)).has("data/twins.jsonl")).toBe(true);
    }
    const colleague = await t.signUp({ organizationId: ann.caller.organizationId });
    expect((await onMachine(web[0], colleague).get("/api/account/export/file")).statusCode).toBe(404);
    expect(await left()).toHaveLength(1);
    expect((await two!.delete("/api/account/export")).statusCode).toBe(204);
    expect(await left()).toEqual([]);
  });

  test("a twin that is deleted takes its files along, and another's id reaches none", async () => {
    const ann = await t.signUp();
    const stranger = await t.signUp();
    const twinId = await makeTwin(ann);
    const id = await uploaded(ann, twinId, "1.txt", chatOf("Анна", 1000));
    const foreign = onMachine(web[1], stranger);
    for (const answer of [
      await foreign.get(`/api/imports/uploads/${id}`),
      await foreign.append(id, 0, Buffer.from("x")),
      await foreign.delete(`/api/imports/uploads/${id}`),
      await foreign.get(`/api/imports/uploads/${randomUUID()}`),
      await foreign.post("/api/imports/from-uploads", { uploadIds: [id] }),
    ]) {
      expect(answer.statusCode).toBe(404);
    }
    expect((await left()).length).toBeGreaterThan(0);
    expect((await onMachine(web[1], ann).delete(`/api/digital-twins/${twinId}`)).statusCode).toBe(204);
    expect(await left()).toEqual([]);
  });

  test.runIf(kind === "s3" && process.env.TEST_STORAGE_URL === undefined)(
    "a storage that is away is said so, and an import waits for it",
    async () => {
      const ann = await t.signUp();
      const twinId = await makeTwin(ann);
      const content = chatOf("Анна", 50);
      const machine = onMachine(web[0], ann);
      const input = { digitalTwinId: twinId, fileName: "1.txt", bytes: content.length };
      const { id } = (await machine.post("/api/imports/uploads", input)).json<ExportUpload>();
      s3.faults.status = 503;
      const refused = await machine.append(id, 0, content);
      expect([refused.statusCode, refused.headers["retry-after"], refused.json()]).toMatchObject([
        503,
        "30",
        { code: "storage_away", message: "Хранилище файлов сейчас не отвечает. Повторите через минуту" },
      ]);
      s3.faults.status = null;
      expect((await machine.append(id, 0, content)).json()).toMatchObject({ format: "whatsapp-txt" });
      const [made] = (await machine.post("/api/imports/from-uploads", { uploadIds: [id] })).json<ImportState[]>();
      await t.jobsIdle();

      await asTenant(t.services.db, ann.caller, (tx) =>
        tx.update(imports).set({ status: "reading" }).where(eq(imports.id, made!.id)),
      );
      s3.faults.status = 500;
      const run = () => previewImport(t.services, jobData(ann.caller, made!.id), new AbortController().signal);
      await expect(run()).rejects.toMatchObject({ code: "storage_away" });
      s3.faults.status = null;
      expect((await machine.get(`/api/imports/${made!.id}`)).json()).toMatchObject({ status: "reading" });
      await run();
      expect((await machine.get(`/api/imports/${made!.id}`)).json()).toMatchObject({ status: "preview", total: 50 });
      await machine.post(`/api/imports/${made!.id}/cancel`);
    },
  );
}
