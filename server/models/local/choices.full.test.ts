import { writeFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { LocalModel } from "#contract/models/local-models.ts";
import { localModels } from "#server/platform/db/schema/models.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { type ModelDesk, openModelDesk, settled } from "#server/test/models/model-desk.ts";
import type { TestApp, TestClient } from "#server/test/test-app.ts";
import { modelPath } from "./model-rows.ts";

// The model processes load models while other tests run.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const missing = noLlama();
describe.skipIf(missing !== null)(`answering${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let desk: ModelDesk;
  let t: TestApp;
  let chief: TestClient;
  let admin: TestClient;
  let first: LocalModel;
  let second: LocalModel;
  let twinId: string;
  beforeAll(async () => {
    desk = await openModelDesk();
    ({ t, chief, admin } = desk);
    first = await desk.install("qvikhr-3-1.7b");
    second = await desk.install("qwen3-0.6b");
    await desk.until(first.id, settled);
    await desk.until(second.id, settled);
    twinId = await buildTwin(admin);
    await t.jobsIdle();
  });
  afterAll(() => desk.close());

  test("another model takes over without losing a reply: what has begun is completed", async () => {
    const { modelRegistry } = t.services;
    await chief.put(`/api/admin/models/${first.id}`, { chosen: true });
    const [row] = (await modelRegistry.answering()).filter(({ id }) => id === first.id);
    const host = modelRegistry.hostOf(row!);
    const asked = { maxTokens: 250, temperature: 0, seed: 1, stop: [], grammar: null };
    const turns = [{ role: "user" as const, content: "Расскажите о доставке" }];
    const asking = { asker: admin.caller, signal: new AbortController().signal };
    const setPhrase = host.generate({ ...asked, turns }, asking);
    let text = (await setPhrase.next()).value as string;
    const { pid } = host;
    await chief.put(`/api/admin/models/${second.id}`, { chosen: true });
    await chief.put(`/api/admin/models/${first.id}`, { allowed: false });
    expect(host.pid).toBe(pid);
    for (let next = await setPhrase.next(); !next.done; next = await setPhrase.next()) text += next.value;
    expect(text.length).toBeGreaterThan(250);
    await host.retire();
    expect(host.pid).toBeUndefined();
    // A request that began before the change still gets its answer.
    let late = "";
    for await (const delta of host.generate({ ...asked, maxTokens: 5, turns }, asking)) late += delta;
    expect(late).not.toBe("");
    await host.retire();
    expect(host.pid).toBeUndefined();
    const said = await admin.post("/api/ai-generate", { twinId, message: "Здравствуйте, сколько стоит доставка?" });
    expect(said.statusCode, said.body).toBe(200);
  });

  test("two models are not tried at once, and a damaged one says so and does not block later ones", async () => {
    const { id, storedName } = (
      await t.services.db
        .insert(localModels)
        .values({ kind: "chat", name: "cut", storedName: "cut", state: "ready", bytes: 1e6, tokenBytes: 1 })
        .returning()
    )[0]!;
    await writeFile(modelPath(t.services.config.dataDir, storedName), desk.chat.subarray(0, 200_000));
    const ask = (model: string) => chief.post(`/api/admin/models/${model}/trial`, { question: "Кто вы?" });
    await chief.put(`/api/admin/models/${second.id}`, { chosen: false });
    await chief.put(`/api/admin/models/${second.id}`, { allowed: false });
    // Either request may be the first to find its row.
    const answers = await Promise.all([ask(id), ask(second.id)]);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.json().message).toMatch(/^Сейчас проверяется другая/);
    const damaged = await ask(id);
    expect(damaged.statusCode).toBe(503);
    expect(damaged.json().message).toMatch(/^Модель не запустилась/);
    await t.services.db.update(localModels).set({ tokenBytes: 1e9 }).where(eq(localModels.id, id));
    const tooBig = await ask(id);
    expect(tooBig.statusCode).toBe(422);
    expect(tooBig.json().message).toMatch(/^Модели нужно около .+ ГБ памяти, а сейчас на сервере свободно .+ ГБ/);
    expect((await ask(second.id)).statusCode).toBe(200);
    await chief.put(`/api/admin/models/${second.id}`, { allowed: true });
  });
});
