import { writeFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { LocalModel } from "#contract/models/local-models.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { createLog } from "#server/platform/log.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { type ModelDesk, openModelDesk, settled } from "#server/test/models/model-desk.ts";
import type { TestApp, TestClient } from "#server/test/test-app.ts";
import { withChosenSearchModels } from "./chosen-search-models.ts";
import { modelPath } from "./model-rows.ts";

// The model processes load models while other tests run.
const missing = noLlama();

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
describe.skipIf(missing !== null)(`answering${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let desk: ModelDesk;
  let t: TestApp;
  let chief: TestClient;
  let admin: TestClient;
  let first: LocalModel;
  let second: LocalModel;
  beforeAll(async () => {
    desk = await openModelDesk();
    ({ t, chief, admin } = desk);
    first = await desk.install("qvikhr-3-1.7b");
    second = await desk.install("qwen3-0.6b");
    await desk.until(first.id, settled);
    await desk.until(second.id, settled);
  });
  afterAll(() => desk.close());

  const engine = async (client: TestClient) =>
    (await client.get(`/api/organizations/${client.caller.organizationId}/model-rule`)).json().engine;
  const choose = (client: TestClient, choice: string) =>
    client.put(`/api/organizations/${client.caller.organizationId}/model`, { choice });

  test("the chosen model answers for all organisations, and an organisation may choose another allowed one or none", async () => {
    expect(await engine(admin)).toBe("embedded");
    expect((await chief.put(`/api/admin/models/${first.id}`, { chosen: true })).json()).toMatchObject({
      chosen: true,
      allowed: true,
    });
    expect(await engine(admin)).toBe("llm");
    expect((await choose(admin, second.id)).json()).toMatchObject({ code: "model_not_allowed" });
    await chief.put(`/api/admin/models/${second.id}`, { allowed: true });
    expect((await choose(admin, second.id)).json()).toMatchObject({ choice: second.id, defaultName: "QVikhr-3 1.7B" });
    expect(await desk.find(second.id)).toMatchObject({ organizations: 1 });
    expect((await choose(admin, "none")).json()).toMatchObject({ choice: "none" });
    expect(await engine(admin)).toBe("embedded");
    const another = await t.signUp();
    expect(await engine(another)).toBe("llm");
    expect((await choose(admin, "default")).json()).toMatchObject({ choice: "default" });
    // An organisation whose chosen model is withdrawn falls back to the installation's model.
    await choose(admin, second.id);
    await chief.put(`/api/admin/models/${second.id}`, { allowed: false });
    expect((await admin.get(`/api/organizations/${admin.caller.organizationId}/model`)).json()).toMatchObject({
      choice: "default",
    });
    expect(await engine(admin)).toBe("llm");
    expect((await chief.delete(`/api/admin/models/${first.id}`)).json()).toMatchObject({ code: "model_chosen" });
  });

  test("models that do not fit into memory together are not allowed together", async () => {
    await chief.put(`/api/admin/models/${second.id}`, { chosen: true });
    await chief.put(`/api/admin/models/${first.id}`, { allowed: false });
    await t.services.db.update(localModels).set({ tokenBytes: 1e9 }).where(eq(localModels.id, first.id));
    const answer = await chief.put(`/api/admin/models/${first.id}`, { allowed: true });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().message).toMatch(/^Вместе с уже разрешёнными моделями нужно .+ ГБ памяти/);
  });

  test("a chosen embedder is loaded at the next start", async () => {
    const { id } = (
      await t.services.db
        .insert(localModels)
        .values({ kind: "embedder", name: "bge-m3", storedName: "bge-m3", state: "ready", bytes: 1, tokenBytes: 1 })
        .returning()
    )[0]!;
    await writeFile(modelPath(t.services.config.dataDir, "bge-m3"), desk.reader);
    expect((await chief.put(`/api/admin/models/${id}`, { chosen: true })).json()).toMatchObject({
      chosen: true,
      afterRestart: true,
    });
    const started = await withChosenSearchModels(t.services.config, t.services.db, createLog("silent"));
    expect(started.ids).toEqual([id]);
    // A model chosen on the screen can still be changed on the screen.
    expect(started.settled).toEqual([]);
    expect(started.config.modelFiles?.embedder).toMatch(/bge-m3\.gguf$/);
    const named = { ...started.config, modelFiles: { ...started.config.modelFiles!, embedder: "/own.gguf" } };
    const own = await withChosenSearchModels(named, t.services.db, createLog("silent"));
    expect(own.config.modelFiles?.embedder).toBe("/own.gguf");
    expect(own.settled).toEqual(["embedder"]);
  });
});
