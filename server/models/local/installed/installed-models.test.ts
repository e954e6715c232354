import { existsSync, statSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LocalModel, LocalModels } from "#contract/models/local-models.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import type { LocalHub } from "#server/test/models/local-hub.ts";
import { type ModelDesk, openModelDesk, settled } from "#server/test/models/model-desk.ts";
import type { TestApp, TestClient } from "#server/test/test-app.ts";
import { ModelDownloads } from "../model-downloads.ts";
import { modelPath, partPath } from "../model-rows.ts";
import { sweepModelFiles } from "../sweep-models.ts";

let desk: ModelDesk;
let t: TestApp;
let hub: LocalHub;
let chief: TestClient;
let admin: TestClient;
let chat: Buffer;
beforeAll(async () => {
  desk = await openModelDesk();
  ({ t, hub, chief, admin, chat } = desk);
});
afterAll(() => desk.close());
beforeEach(() => {
  hub.faults = {};
});

describe("a model of the catalogue", () => {
  test("is downloaded, checked and stored where no other user can read it", async () => {
    const { id } = await desk.install("qvikhr-3-1.7b");
    expect(await desk.until(id, settled)).toMatchObject({
      state: "ready",
      problem: null,
      bytes: chat.length,
      received: chat.length,
      allowed: false,
      chosen: false,
    });
    const path = modelPath(t.services.config.dataDir, (await desk.rowOf(id)).storedName);
    expect((await readFile(path)).equals(chat)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(t.services.config.dataDir, "models")).mode & 0o777).toBe(0o700);
    const again = await chief.post("/api/admin/models", { catalogueId: "qvikhr-3-1.7b" });
    expect(again.json()).toMatchObject({ code: "model_installed" });
    await desk.remove(id);
    expect(desk.files()).toEqual([]);
    expect(await desk.find(id)).toBeUndefined();
  });

  test("that was taken as advised is chosen once it is ready, also by the next process, and gives way to another choice", async () => {
    const take = async (catalogueId: string): Promise<LocalModel> =>
      (await chief.post("/api/admin/models", { catalogueId, choose: true })).json();
    const first = await take("qvikhr-3-1.7b");
    expect(first).toMatchObject({ wanted: true, chosen: false });
    expect(await desk.until(first.id, ({ chosen }) => chosen)).toMatchObject({ wanted: false, allowed: true });
    // Imitates a process that was killed between the download and the choice.
    await t.services.db.update(localModels).set({ chosen: false, allowed: false, wanted: true });
    await t.services.downloads.resume();
    expect(await desk.find(first.id)).toMatchObject({ chosen: true, wanted: false });
    hub.faults.bytesPerSecond = 100_000;
    const second = await take("qwen3-0.6b");
    await chief.put(`/api/admin/models/${first.id}`, { chosen: true });
    expect(await desk.find(second.id)).toMatchObject({ wanted: false });
    hub.faults = {};
    await desk.remove(second.id);
    await desk.remove(first.id);
  });

  test("can be paused and continued; cancelling leaves nothing", async () => {
    hub.faults.bytesPerSecond = 400_000;
    const { id } = await desk.install("qvikhr-3-1.7b");
    await desk.until(id, () =>
      desk.files().some((name) => statSync(join(t.services.config.dataDir, "models", name)).size > 50_000),
    );
    const paused = (await chief.post(`/api/admin/models/${id}/pause`)).json<LocalModel>();
    expect(paused).toMatchObject({ state: "paused", resumable: true, bytesPerSecond: null });
    expect(paused.received).toBeGreaterThan(50_000);
    hub.asked.length = 0;
    hub.faults = {};
    await chief.post(`/api/admin/models/${id}/resume`);
    expect(await desk.until(id, settled)).toMatchObject({ state: "ready" });
    expect(hub.asked).toEqual([`bytes=${paused.received}-`]);
    await desk.remove(id);
    hub.faults.bytesPerSecond = 100_000;
    const other = await desk.install("qvikhr-3-1.7b");
    await desk.until(other.id, () => desk.files().length > 0);
    await desk.remove(other.id);
    expect(desk.files()).toEqual([]);
  });

  test("continues in another process only after the killed one's lease has expired", async () => {
    const storedName = "left-behind";
    await writeFile(partPath(t.services.config.dataDir, storedName), chat.subarray(0, 100_000));
    const held = new Date(Date.now() + 60_000);
    const values = { kind: "chat", name: "Qwen3 0.6B", catalogueId: "qwen3-0.6b", storedName } as const;
    const [row] = await t.services.db
      .insert(localModels)
      .values({ ...values, state: "downloading", heldUntil: held })
      .returning();
    hub.asked.length = 0;
    await t.services.downloads.resume();
    expect(hub.asked).toEqual([]);
    await t.services.db.update(localModels).set({ heldUntil: new Date(Date.now() - 1) });
    await t.services.downloads.resume();
    expect(await desk.until(row!.id, settled)).toMatchObject({ state: "ready" });
    expect(hub.asked).toEqual(["bytes=100000-"]);
    await desk.remove(row!.id);
  });

  test("is given up at once by a server that stops, and the next one continues", async () => {
    hub.faults.bytesPerSecond = 300_000;
    const mine = new ModelDownloads({ ...t.services, choose: async () => {} });
    const storedName = "taken-over";
    const values = { kind: "chat", name: "Qwen3 0.6B", catalogueId: "qwen3-0.6b", storedName } as const;
    const [row] = await t.services.db
      .insert(localModels)
      .values({ ...values, state: "downloading" })
      .returning();
    mine.begin(row!.id);
    const part = partPath(t.services.config.dataDir, storedName);
    await desk.until(row!.id, () => existsSync(part) && statSync(part).size > 20_000);
    await mine.end();
    expect(await desk.rowOf(row!.id)).toMatchObject({ state: "downloading", heldUntil: null });
    hub.faults = {};
    await t.services.downloads.resume();
    expect(await desk.until(row!.id, settled)).toMatchObject({ state: "ready" });
    await desk.remove(row!.id);
  });

  test("that is resumed while it is still stopping starts once it has stopped", async () => {
    hub.faults.bytesPerSecond = 300_000;
    const { downloads } = t.services;
    const { id } = await desk.install("qvikhr-3-1.7b");
    await desk.until(id, () => desk.files().length > 0);
    const stopping = downloads.stop(id);
    downloads.begin(id);
    hub.faults = {};
    await stopping;
    expect(await desk.until(id, settled)).toMatchObject({ state: "ready" });
    await desk.remove(id);
  });

  test.each([
    ["qwen3-1.7b", "a page instead of a model", "Это не модель"],
    ["bge-m3", "a model that writes instead of one that searches", "другого назначения"],
    ["qwen3-4b", "one too big for the memory", "не хватит памяти"],
  ])("%s: %s is reported in a sentence and leaves no file", async (catalogueId, _, sentence) => {
    const { id } = await desk.install(catalogueId);
    const failed = await desk.until(id, settled);
    expect(failed).toMatchObject({ state: "failed", received: 0 });
    expect(failed.problem).toContain(sentence);
    expect(desk.files()).toEqual([]);
    await desk.remove(id);
  });

  test("that is damaged twice is reported and removed; with the hub away it is reported and may be tried again", async () => {
    hub.faults.corruptionsLeft = 2;
    const damaged = await desk.install("qvikhr-3-1.7b");
    expect((await desk.until(damaged.id, settled)).problem).toContain("контрольная сумма");
    expect(desk.files()).toEqual([]);
    await desk.remove(damaged.id);
    hub.faults = { status: 403 };
    const { id } = await desk.install("qvikhr-3-1.7b");
    expect(await desk.until(id, settled)).toMatchObject({ state: "failed", resumable: true });
    hub.faults = {};
    await chief.post(`/api/admin/models/${id}/resume`);
    expect(await desk.until(id, settled)).toMatchObject({ state: "ready", problem: null });
    await desk.remove(id);
  });

  test("a full disk is reported before the download starts", async () => {
    const { disk } = t.services;
    const { measure } = disk;
    disk.measure = async () => ({ totalBytes: 1e12, freeBytes: 1e8 });
    hub.requests.length = 0;
    const answer = await chief.post("/api/admin/models", { catalogueId: "qvikhr-3-1.7b" });
    expect(answer.statusCode).toBe(507);
    expect(answer.json().message).toContain("не хватает места");
    expect(hub.requests).toEqual([]);
    disk.measure = measure;
  });

  test.skipIf(!existsSync("/dev/full"))("a disk that is full in the middle of a file keeps nothing of it", async () => {
    hub.faults.status = 503;
    const { id } = await desk.install("qvikhr-3-1.7b");
    await chief.post(`/api/admin/models/${id}/pause`);
    const { storedName } = await desk.rowOf(id);
    // Writing to this device fails as on a full disk.
    await symlink("/dev/full", partPath(t.services.config.dataDir, storedName));
    hub.faults = {};
    await chief.post(`/api/admin/models/${id}/resume`);
    const failed = await desk.until(id, settled);
    expect(failed).toMatchObject({ state: "failed", received: 0, bytes: null });
    expect(failed.problem).toContain("не хватает места");
    expect(desk.files()).toEqual([]);
    // Once there is space again, the same button resumes the download.
    await chief.post(`/api/admin/models/${id}/resume`);
    expect(await desk.until(id, settled)).toMatchObject({ state: "ready" });
    await desk.remove(id);
  });

  test("a disk that is full before the download is reported when the download resumes, and no part of the file is kept", async () => {
    const { disk } = t.services;
    const { measure } = disk;
    hub.faults.bytesPerSecond = 400_000;
    const { id } = await desk.install("qvikhr-3-1.7b");
    await desk.until(id, () => desk.files().length > 0);
    await chief.post(`/api/admin/models/${id}/pause`);
    disk.measure = async () => ({ totalBytes: 1e12, freeBytes: 1e8 });
    await chief.post(`/api/admin/models/${id}/resume`);
    const failed = await desk.until(id, settled);
    disk.measure = measure;
    expect(failed).toMatchObject({ state: "failed", received: 0, resumable: true });
    expect(failed.problem).toContain("не хватает места");
    expect(desk.files()).toEqual([]);
    await desk.remove(id);
  });
});

test("a file without a row is removed after an hour, and one with a row stays", async () => {
  const { id } = await desk.install("qvikhr-3-1.7b");
  await desk.until(id, settled);
  await writeFile(partPath(t.services.config.dataDir, "nobody-s"), "GGUF");
  expect(await sweepModelFiles(t.services)).toBe(0);
  expect(await sweepModelFiles(t.services, Date.now() + 2 * 3600_000)).toBe(1);
  expect(desk.files()).toEqual([expect.stringMatching(/qvikhr/)]);
  await desk.remove(id);
});

test("only the platform's administrator sees and changes what is installed", async () => {
  for (const [method, url] of [
    ["GET", "/api/admin/models"],
    ["POST", "/api/admin/models"],
  ] as const) {
    expect((await admin.inject({ method, url, payload: {} })).statusCode).toBe(403);
  }
});

test("the operator has dismissed the dashboard's offer in all his browsers, and only he has", async () => {
  const another = await t.signUp({ superAdmin: true });
  const isPassed = async ({ get }: TestClient) => (await get("/api/admin/models")).json<LocalModels>().offerPassed;
  expect([await isPassed(chief), await isPassed(another)]).toEqual([false, false]);
  for (let time = 0; time < 2; time++) {
    expect((await chief.post("/api/admin/model-offer/pass", {})).statusCode).toBe(204);
    expect([await isPassed(chief), await isPassed(another)]).toEqual([true, false]);
  }
  expect((await admin.post("/api/admin/model-offer/pass", {})).statusCode).toBe(403);
});
