import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError, readConfig } from "#server/platform/config.ts";
import { createLog } from "#server/platform/log.ts";
import { buildDocument, buildTwin } from "#server/test/factories/build-twin.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type CollectedSpan, type OtlpCollector, startOtlpCollector } from "#server/test/servers/otlp-collector.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { type Tracing, traceWith } from "./tracing.ts";

const SOON = { timeout: 60_000, interval: 100 };
const BOT = "31:token-of-a-traced-bot-0123456789abcdefg";
const CANARY = "Канарейкослово";

let collector: OtlpCollector;
let tracing: Tracing;
let model: OpenAiServer;
let telegram: TelegramServer;
let t: TestApp;
let owner: TestClient;
let twinId: string;
beforeAll(async () => {
  collector = await startOtlpCollector();
  model = await startOpenAiServer({ text: `${CANARY} стоит 350 рублей.` });
  telegram = await startTelegramServer();
  const { tracing: settings } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.root}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=shop%2C1",
    OTEL_SERVICE_NAME: "twins-of-the-test",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  tracing = openTelemetry(settings!, { log: createLog("silent"), version: "1.2.3", delayMs: 50 });
  traceWith(tracing);
  const llm = { baseUrl: model.baseUrl, apiKey: null, model: "m", timeoutSeconds: 60 };
  t = await testApp({ llm, trustProxy: true, telegramApiRoot: telegram.root });
  owner = await t.signUp();
  twinId = await buildTwin(owner, { name: `Двойник ${CANARY}` });
  await buildDocument(owner, twinId, `${CANARY} привозит курьер. Доставка по городу стоит 350 рублей, за город 700.`, {
    name: `${CANARY}.txt`,
  });
  await t.jobsIdle();
});
afterAll(async () => {
  await t.close();
  await tracing.end();
  traceWith(null);
  await telegram.close();
  await model.close();
  await collector.close();
});

const spansOf = (name: string) => collector.spans.filter((span) => span.name === name);
async function inTrace(traceId: string, name: string): Promise<CollectedSpan[]> {
  const found = () => spansOf(name).filter((span) => span.traceId === traceId);
  await expect.poll(() => found().length, SOON).toBeGreaterThan(0);
  return found();
}

test("a request goes on in its proxy's trace, and the reply's parts stand under it with their time and statements", async () => {
  const [traceId, parent] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const answer = await owner.inject({
    method: "POST",
    url: "/api/ai-generate",
    payload: { twinId, message: `Сколько стоит ${CANARY}?` },
    headers: { traceparent: `00-${traceId}-${parent}-01` },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const [request] = await inTrace(traceId, "POST /api/ai-generate");
  expect(request).toMatchObject({ parentSpanId: parent, kind: 2 });
  expect(request!.attributes).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/api/ai-generate",
    "http.response.status_code": 200,
  });
  expect(request!.attributes["db.statements"]).toBeGreaterThan(0);
  const [search] = await inTrace(traceId, "reply search");
  expect(search!.parentSpanId).toBe(request!.spanId);
  expect(search!.attributes["db.statements"]).toBeGreaterThan(0);
  const [generate] = await inTrace(traceId, "reply generate");
  expect(generate!.parentSpanId).toBe(request!.spanId);
  expect(generate!.attributes).toMatchObject({ "reply.generator": "remote", "reply.outcome": "ok" });
  expect(generate!.attributes["reply.check_ms"]).toBeGreaterThanOrEqual(0);
  expect(collector.headers["x-tenant"]).toBe("shop,1");
  expect(collector.resource).toMatchObject({
    "service.name": "twins-of-the-test",
    "service.version": "1.2.3",
    "deployment.environment.name": "test",
  });
});

test("a job is a trace of its own that is linked to the request that has caused it", async () => {
  await expect.poll(() => spansOf("POST /api/knowledge/upload").length, SOON).toBeGreaterThan(0);
  const [cause] = spansOf("POST /api/knowledge/upload");
  await expect
    .poll(() => spansOf("job train-twin").flatMap(({ links = [] }) => links.map((link) => link.traceId)), SOON)
    .toContain(cause!.traceId);
  const job = spansOf("job train-twin").find(({ links = [] }) => links.some((link) => link.traceId === cause!.traceId));
  expect(job).toMatchObject({ kind: 5 });
  expect(job!.traceId).not.toBe(cause!.traceId);
  expect(job!.attributes["db.statements"]).toBeGreaterThan(0);
});

test("a call to a platform is a span of its own, and a failed one tells its kind alone", async () => {
  const created = await owner.post("/api/integrations/create", {
    digitalTwinId: twinId,
    platform: "telegram",
    apiKey: BOT,
  });
  expect(created.statusCode, created.body).toBe(201);
  telegram.revoked.add(BOT);
  await owner.post(`/api/integrations/${created.json().id}/check`);
  await expect.poll(() => spansOf("verify telegram").length, SOON).toBeGreaterThan(0);
  const [verify] = spansOf("verify telegram").slice(-1);
  expect(verify).toMatchObject({ kind: 3, status: { code: 2 } });
  expect(verify!.attributes["error.type"]).toBe("ChannelTrouble");
});

test("no words, names, addresses, tokens or ids of anybody are in what the collector gets", async () => {
  const { organizationId, userId } = owner.caller;
  await owner.get(`/api/conversations?search=${encodeURIComponent(CANARY)}`);
  await owner.get(`/api/digital-twins/${twinId}`);
  await owner.get(`/${encodeURIComponent(CANARY)}/${randomUUID()}?token=${CANARY}`);
  await expect.poll(() => spansOf("GET /api/digital-twins/:id").length, SOON).toBeGreaterThan(0);
  const sent = collector.bodies.join("\n");
  for (const secret of [CANARY, encodeURIComponent(CANARY), twinId, userId, organizationId, owner.token, BOT, "@"]) {
    expect(sent).not.toContain(secret);
  }
  expect(sent, "everything that is said is in the program's own words").not.toMatch(/[а-яё]/i);
  expect(sent).not.toMatch(/select |insert |update /i);
});

test("a stranger cannot choose the trace where no proxy of ours stands before the server", async () => {
  const open = await testApp({ trustProxy: false });
  try {
    const traceId = "5bf92f3577b34da6a3ce929d0e0e4736";
    const before = spansOf("GET /api/config").length;
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    expect((await open.anonymous.inject({ method: "GET", url: "/api/config", headers })).statusCode).toBe(200);
    await expect.poll(() => spansOf("GET /api/config").length, SOON).toBeGreaterThan(before);
    expect(collector.bodies.join("\n")).not.toContain(traceId);
  } finally {
    await open.close();
  }
});

test("without a collector in the settings there are no traces, and OpenTelemetry is imported by nothing that is loaded", () => {
  expect(readConfig({}).tracing).toBeNull();
  expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_SDK_DISABLED: "true" }).tracing).toBeNull();
  const server = join(import.meta.dirname, "../..");
  const importers = readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) =>
      /from "@opentelemetry\/|from ".*open-telemetry\.ts"/.test(readFileSync(join(server, file), "utf8")),
    );
  expect(importers).toEqual([join("platform", "process", "open-telemetry.ts")]);
});

test("a protocol that is not spoken, or a sampler that there is not, stops the start", () => {
  const faults = (environment: Record<string, string>) => {
    try {
      readConfig(environment);
      return "";
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  };
  expect(faults({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toContain("http/json");
  expect(faults({ OTEL_TRACES_SAMPLER: "jaeger_remote" })).toContain("OTEL_TRACES_SAMPLER");
  expect(faults({ OTEL_EXPORTER_OTLP_HEADERS: "no-value" })).toContain("OTEL_EXPORTER_OTLP_HEADERS");
});
