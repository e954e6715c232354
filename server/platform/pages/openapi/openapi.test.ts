import { afterAll, beforeAll, expect, test } from "vitest";
import { ERROR_CODES } from "#contract/error-codes.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import type { JsonSchema, OpenApi } from "./describe-api.ts";

let t: TestApp;
let document: OpenApi;
beforeAll(async () => {
  t = await testApp();
  document = (await t.anonymous.get("/api/openapi.json")).json();
});
afterAll(() => t.close());

const PROBLEM = "#/components/schemas/Problem";
const COMPLETION_ERROR = "#/components/schemas/CompletionError";

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test("every mounted endpoint is described, and nothing else", () => {
  const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  const mounted = [...t.app.endpoints, ...t.app.otherEndpoints].map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
  );
  expect(described.sort()).toEqual(mounted.sort());
});

test("the document has the structure that OpenAPI 3.1 requires", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.info).toEqual({
    title: "Цифровые двойники",
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    description: expect.any(String),
  });
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = new Set(document.tags.map(({ name }) => name));
  for (const { path, operation } of operations()) {
    expect(path).toMatch(/^\/(api\/|v1\/|mcp$|widget\/)[a-z0-9/{}.-]*$/i);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter((parameter) => parameter.in === "path");
    expect(
      declared.map(({ name }) => name),
      path,
    ).toEqual(inPath);
    expect(
      declared.every(({ required }) => required),
      path,
    ).toBe(true);
    expect(
      operation.tags.every((tag) => tags.has(tag)),
      path,
    ).toBe(true);
    expect(operation.summary, path).toMatch(/[А-Яа-я]{3}/);
    const statuses = Object.keys(operation.responses);
    expect(
      statuses.filter((status) => /^2\d\d$/.test(status)),
      path,
    ).toHaveLength(1);
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[1-5]\d\d$/);
      expect(response.description).not.toBe("");
      if (Number(status) >= 400) {
        expect(response.content).toEqual({
          "application/json": { schema: { $ref: /^\/(api|widget)\//.test(path) ? PROBLEM : COMPLETION_ERROR } },
        });
      }
    }
  }
  expect(document.components.schemas.Problem).toMatchObject({
    required: ["message", "code", "requestId"],
    properties: { message: { type: "string" }, code: { type: "string", enum: [...ERROR_CODES] } },
  });
});

test("calls that need a session say so, and public calls do not", () => {
  expect(document.components.securitySchemes).toEqual({
    bearer: { type: "http", scheme: "bearer" },
    key: { type: "http", scheme: "bearer", bearerFormat: "dtk_…" },
  });
  for (const { method, path, access } of t.app.endpoints) {
    const operation = document.paths[path.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
    expect(operation.security, path).toEqual(access === "public" ? [] : [{ bearer: [] }]);
    expect("401" in operation.responses, path).toBe(access !== "public");
  }
});

test("every schema is valid JSON Schema with known types and references that resolve", () => {
  const types = new Set(["string", "number", "integer", "boolean", "null", "object", "array"]);
  let seen = 0;
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (typeof value !== "object" || value === null) return;
    const schema = value as JsonSchema;
    if (typeof schema.$ref === "string") {
      const place = schema.$ref.slice(2).split("/");
      expect(
        place.reduce<unknown>((at, key) => (at as JsonSchema)[key], document),
        schema.$ref,
      ).toBeDefined();
    }
    if (typeof schema.type === "string" && "in" in schema === false) {
      seen++;
      if (schema.type !== "http") expect(types).toContain(schema.type);
    }
    if (Array.isArray(schema.required) && typeof schema.properties === "object") {
      for (const name of schema.required) expect(Object.keys(schema.properties as object)).toContain(name);
    }
    Object.values(schema).forEach(walk);
  };
  walk(document);
  expect(seen).toBeGreaterThan(100);
});

test("bodies, forms, streams and API keys are described where they are used", () => {
  const of = (path: string, method = "post") => document.paths[path]![method]!;
  expect(of("/api/digital-twins").requestBody!.content["application/json"]!.schema).toMatchObject({
    type: "object",
    required: expect.arrayContaining(["name", "knowledgeArea"]),
    properties: { name: { type: "string" } },
  });
  expect(Object.keys(of("/api/knowledge/upload").requestBody!.content)).toEqual([
    "application/json",
    "multipart/form-data",
  ]);
  expect(of("/api/imports").requestBody!.content["multipart/form-data"]!.schema).toMatchObject({
    required: ["digitalTwinId", "file"],
  });
  expect(Object.keys(of("/api/ai-generate").responses["200"]!.content!)).toEqual([
    "application/json",
    "text/event-stream",
  ]);
  const visitors = of("/widget/{id}/messages");
  expect(Object.keys(visitors.responses["200"]!.content!)).toEqual(["text/event-stream"]);
  expect(visitors).toMatchObject({
    security: [],
    requestBody: { content: { "application/json": { schema: { required: ["id", "text"] } } } },
    parameters: [
      { name: "id", in: "path" },
      { name: "x-visitor", in: "header", required: true },
    ],
  });
  expect(of("/widget/{id}/talk", "get").parameters).toContainEqual(
    expect.objectContaining({ name: "after", in: "query", required: false }),
  );
  expect(of("/api/digital-twins/{id}", "delete").responses["204"]).toEqual({ description: "Успех" });
  expect(of("/api/digital-twins").parameters.map(({ name }) => name)).toEqual(["Idempotency-Key"]);
  expect(of("/api/digital-twins/{id}/search", "get").parameters).toMatchObject([
    { name: "id", in: "path", required: true },
    { name: "q", in: "query", required: true },
  ]);
});

test("the page is in Russian, complete and without scripts and inline styles", async () => {
  const page = await t.anonymous.get("/api/docs");
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.body).toMatch(/^<!doctype html>\n<html lang="ru">/);
  expect(page.body).not.toMatch(/<script|<style|\sstyle=|\son\w+=|undefined|\[object/i);
  for (const { path, operation } of operations()) {
    expect(page.body).toContain(path);
    expect(page.body).toContain(`id="${operation.operationId}"`);
  }
  for (const start of ["start-v1", "start-widget", "start-webhooks", "start-mcp"]) {
    expect(page.body).toContain(`href="#${start}"`);
    expect(page.body).toContain(`<section id="${start}">`);
  }
  expect(page.body).toContain(`${t.services.config.publicUrl}/v1/chat/completions`);
  expect(page.headers["content-security-policy"]).not.toMatch(/script|connect|img/);
  const style = await t.anonymous.get("/api/docs.css");
  expect(style.headers["content-type"]).toBe("text/css; charset=utf-8");
});
