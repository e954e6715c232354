/** A trial of a model measures its speed and its memory. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { LocalModel, ModelTrial } from "#contract/models/local-models.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { type ModelDesk, openModelDesk, settled } from "#server/test/models/model-desk.ts";
import type { TestClient } from "#server/test/test-app.ts";

// The model processes load models while other tests run.
const missing = noLlama();

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
describe.skipIf(missing !== null)(`answering${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let desk: ModelDesk;
  let chief: TestClient;
  let first: LocalModel;
  let second: LocalModel;
  beforeAll(async () => {
    desk = await openModelDesk();
    ({ chief } = desk);
    first = await desk.install("qvikhr-3-1.7b");
    second = await desk.install("qwen3-0.6b");
    await desk.until(first.id, settled);
    await desk.until(second.id, settled);
  });
  afterAll(() => desk.close());

  test("trying a model reports its speed and size, and leaves no idle process", async () => {
    const answer = await chief.post(`/api/admin/models/${first.id}/trial`, { question: "Кто вы?" });
    expect(answer.statusCode, answer.body).toBe(200);
    const { text, loadMs, firstTokenMs, tokensPerSecond, memoryBytes } = answer.json<ModelTrial>();
    expect(text).toMatch(/[а-я]/);
    expect(loadMs).toBeGreaterThan(0);
    expect(firstTokenMs).toBeGreaterThan(0);
    expect(tokensPerSecond).toBeGreaterThan(0);
    if (process.platform === "linux") expect(memoryBytes).toBeGreaterThan(30 * 1024 ** 2);
  });
});
