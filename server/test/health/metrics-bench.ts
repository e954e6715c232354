/** A server whose metrics are read. */
import { afterAll, beforeAll, expect } from "vitest";
import { resetCounts } from "#server/platform/process/metrics.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export const TOKEN = "metrics-token-of-the-test";
export const SOON = { timeout: 45_000, interval: 500 };

export let model: OpenAiServer;
export let t: TestApp;
export let owner: TestClient;

export const scrape = (authorization = `Bearer ${TOKEN}`) =>
  t.anonymous.inject({ method: "GET", url: "/metrics", headers: { authorization } });

/** The value of the series with this name and these labels; 0 where there is none. */
export async function seriesValue(name: string, labels: Record<string, string> = {}): Promise<number> {
  const answer = await scrape();
  expect(answer.statusCode, answer.body).toBe(200);
  const line = answer.body.split("\n").find((each) => {
    const found = /^(\w+)(?:\{(.*)\})? /.exec(each);
    return (
      found?.[1] === name && Object.entries(labels).every(([key, value]) => found[2]?.includes(`${key}="${value}"`))
    );
  });
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareMetrics(): void {
  beforeAll(async () => {
    resetCounts();
    model = await startOpenAiServer({ usage: { prompt_tokens: 70, completion_tokens: 7 } });
    const llm = { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 60 };
    t = await testApp({ metricsToken: TOKEN, llm });
    owner = await t.signUp();
  });
  afterAll(async () => {
    await t.close();
    await model.close();
  });
}
