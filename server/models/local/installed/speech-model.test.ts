import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LocalModels } from "#contract/models/local-models.ts";
import { writeToneModel } from "#server/test/media/tone-model.ts";
import { type ModelDesk, openModelDesk, settled } from "#server/test/models/model-desk.ts";
import { catalogueModel } from "../catalogue/catalogue.ts";
import { partPath, speechPath } from "../model-rows.ts";
import { sweepModelFiles } from "../sweep-models.ts";

const ID = "gigaam-v3-ctc";
const { repo } = catalogueModel(ID)!;
let desk: ModelDesk;
let files: Record<"model.int8.onnx" | "tokens.txt", Buffer>;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "dt-tones-"));
  await writeToneModel(folder);
  files = {
    "model.int8.onnx": await readFile(join(folder, "model.int8.onnx")),
    "tokens.txt": await readFile(join(folder, "tokens.txt")),
  };
  await rm(folder, { recursive: true });
  desk = await openModelDesk();
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.hub.faults = {};
  offer(files);
});

function offer(given: Record<string, Buffer>): void {
  for (const [name, bytes] of Object.entries(given)) desk.hub.files[`${repo}/${name}`] = bytes;
}
const dataDir = () => desk.t.services.config.dataDir;

test("a speech model comes in several files, each with the hub's checksum, and works once it is switched on", async () => {
  const { id } = await desk.install(ID);
  const whole = files["model.int8.onnx"].length + files["tokens.txt"].length;
  const ready = await desk.until(id, settled);
  expect(ready).toMatchObject({ kind: "speech", state: "ready", problem: null, bytes: whole, received: whole });
  expect(ready.memoryBytes).toBeGreaterThan(whole);
  const row = await desk.rowOf(id);
  const blob = createHash("sha1")
    .update(`blob ${files["tokens.txt"].length}\0`)
    .update(files["tokens.txt"])
    .digest("hex");
  expect(row.parts).toMatchObject([
    { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { sha256: null, gitBlob: blob },
  ]);
  const folder = speechPath(dataDir(), row.storedName);
  expect(readdirSync(folder).sort()).toEqual(["model.int8.onnx", "tokens.txt"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "tokens.txt")).mode & 0o777).toBe(0o600);
  const change = await desk.chief.put(`/api/admin/models/${id}`, { chosen: true, allowed: true });
  // A speech model writes no answers, so organisations cannot choose it; choosing it needs no restart.
  expect(change.json()).toMatchObject({ chosen: true, allowed: false, afterRestart: false });
  const trial = await desk.chief.post(`/api/admin/models/${id}/trial`, { question: "Сколько?" });
  expect(trial.json()).toMatchObject({ code: "model_writes_nothing" });
  await desk.remove(id);
  expect(existsSync(folder)).toBe(false);
});

test("its download can be paused between bytes and goes on behind them, also in the first of its files", async () => {
  desk.hub.faults.bytesPerSecond = 4000;
  const { id } = await desk.install(ID);
  const part = async () => join(partPath(dataDir(), (await desk.rowOf(id)).storedName), "model.int8.onnx");
  const path = await part();
  await desk.until(id, () => existsSync(path) && statSync(path).size > 1000);
  await desk.chief.post(`/api/admin/models/${id}/pause`);
  desk.hub.faults = {};
  desk.hub.asked.length = 0;
  const here = statSync(path).size;
  await desk.chief.post(`/api/admin/models/${id}/resume`);
  expect(await desk.until(id, settled)).toMatchObject({ state: "ready" });
  expect(desk.hub.asked[0]).toBe(`bytes=${here}-`);
  await desk.remove(id);
});

test("files that are no model, or that the hub lacks, are removed with a sentence that says so", async () => {
  offer({ "model.int8.onnx": Buffer.from(`<html>${"страница ".repeat(50)}</html>`) });
  const page = await desk.install(ID);
  expect(await desk.until(page.id, settled)).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("не модель распознавания речи"),
    received: 0,
  });
  expect(desk.files()).toEqual([]);
  await desk.remove(page.id);
  delete desk.hub.files[`${repo}/tokens.txt`];
  const lacking = await desk.install(ID);
  expect(await desk.until(lacking.id, settled)).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("нет файла"),
  });
  await desk.remove(lacking.id);
});

test("what a killed process left of it is swept, and what a row names stays", async () => {
  const { id } = await desk.install(ID);
  await desk.until(id, settled);
  const { storedName } = await desk.rowOf(id);
  const lost = await writeToneModel(speechPath(dataDir(), "lost"));
  const old = new Date(Date.now() - 7200_000);
  for (const folder of [lost, speechPath(dataDir(), storedName)]) utimesSync(folder, old, old);
  expect(await sweepModelFiles(desk.t.services)).toBe(1);
  expect(desk.files()).toEqual([`${storedName}.speech`]);
  await desk.remove(id);
});

test("the catalogue offers models that make text of recordings, and says which suits this machine", async () => {
  const { catalogue, settled: decided } = (await desk.chief.get("/api/admin/models")).json<LocalModels>();
  expect(catalogue.filter(({ kind }) => kind === "speech").map(({ name }) => name)).toEqual([
    "GigaAM-v3",
    "GigaAM-v3 RNNT",
    "Whisper small",
  ]);
  expect(decided).not.toContain("speech");
});
