/**
 * Calls made from the contract's own schemas and from anything at all: none may end in a 5xx. `FUZZ_CALLS` sets how many (20,000 before
 * a release), `FUZZ_SEED` repeats a run that failed. The same calls in every `npm test`, as setup.ts does for properties: a red one is the
 * fault of the change at hand. `npm run test:full` makes others each time.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { ProblemBody } from "#contract/problem.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import { ENDPOINT_CASES } from "./endpoint-cases.ts";
import { makeThings } from "./make-things.ts";
import type { Things } from "./things.ts";

const full = process.env.TEST_FULL === "1";
const CALLS = Number(process.env.FUZZ_CALLS ?? (full ? 1500 : 500));
const SEED = Number(process.env.FUZZ_SEED ?? (full ? Date.now() % 2 ** 31 : 20_261_121));
const AT_ONCE = 4;

let t: TestApp;
let client: TestClient;
let things: Things;
beforeAll(async () => {
  t = await testApp();
  client = await t.signUp({ superAdmin: true });
  things = await makeThings(t, client);
});
afterAll(() => t.close());

/** What a zod schema's definition looks like, as far as values are made from it. */
interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  options?: Schema[];
  entries?: Record<string, string>;
  values?: unknown[];
  format?: string;
}
interface Schema {
  _zod: { def: Definition };
}

const HOSTILE = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202e\u200b\ufeff",
  "null",
  "' or 1=1 --",
  "<script>alert(1)</script>",
  "{{7*7}} #{7*7} %s %n",
  "../../etc/passwd",
  "%00%ff",
  "а".repeat(9000),
  "\u0301".repeat(500),
  "😀".repeat(300),
  "1e400",
  "9".repeat(400),
  "2024-13-45T99:99:99Z",
  "+275760-09-13T00:00:00.001Z",
  "0000-01-01T00:00:00Z",
];
const hostile = fc.constantFrom(...HOSTILE);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 2, arbitrary: hostile },
  { weight: 3, arbitrary: fc.constant("Обычный текст на несколько слов, которого хватит любой форме этого сервера.") },
);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
  hostile,
  fc.constantFrom(Number.MAX_SAFE_INTEGER, -0, 1e308, 2 ** 63, [], {}, null, true),
);

/** Values that mostly fit the schema; each part may be replaced by something that does not. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema._zod.def) }, { weight: 1, arbitrary: anything });
}

function fitting(def: Definition): fc.Arbitrary<unknown> {
  switch (def.type) {
    case "object":
      return fc.tuple(fc.record(mapped(def.shape!)), unknownFields).map(([known, more]) => ({ ...more, ...known }));
    case "array":
      return fc.array(near(def.element!), { maxLength: 6 });
    case "optional":
    case "default":
      return fc.oneof({ weight: 2, arbitrary: near(def.innerType!) }, { weight: 1, arbitrary: fc.constant(undefined) });
    case "nullable":
      return fc.option(near(def.innerType!));
    case "union":
      return fc.oneof(...def.options!.map(near));
    case "enum":
      return fc.constantFrom(...Object.values(def.entries!));
    case "literal":
      return fc.constantFrom(...(def.values as fc.JsonValue[]));
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "string":
      if (def.format === "uuid") return fc.oneof(fc.constantFrom(...Object.values(things)), fc.uuid(), text);
      if (def.format === "datetime") return fc.oneof(fc.date({ noInvalidDate: true }).map(isoString), text);
      return fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.emailAddress() });
    default:
      return anything;
  }
}

const mapped = (shape: Record<string, Schema>) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, near(field)]));
const isoString = (date: Date): string => date.toISOString();
const unknownFields = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 12 }), anything, { maxKeys: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constant({
      status: "ready",
      role: "org_admin",
      orgId: "x",
      ownerId: "y",
      toString: "z",
      hasOwnProperty: 1,
    }),
  },
);

interface Sent {
  method: Endpoint["method"];
  url: string;
  payload?: string;
  headers: Record<string, string>;
}

/** Whether a call is checked and then refused because what it is for is not served here (503), or its provider is not there (502). */
function isExpected({ method, url }: Pick<Sent, "method" | "url">, status: number): boolean {
  return Object.entries(ENDPOINT_CASES).some(
    ([key, endpointCase]) =>
      endpointCase.answers === status && key.startsWith(method) && url.startsWith(endpointCase.url(things)),
  );
}

/** One call of one endpoint: its ids, its query, its body, its headers. */
function callOf(endpoint: Endpoint): fc.Arbitrary<Sent> {
  const right = ENDPOINT_CASES[`${endpoint.method} ${endpoint.path}`]!.url(things).split("?")[0]!;
  const id = fc.oneof(text, fc.uuid()).map((value) => encodeURIComponent(value.toWellFormed().slice(0, 150)));
  const path = /:\w*id\b/i.test(endpoint.path)
    ? fc.oneof(
        { weight: 3, arbitrary: fc.constant(right) },
        { weight: 2, arbitrary: id.map((value) => endpoint.path.replace(/:\w+/g, value || "x")) },
      )
    : fc.constant(right);
  const query = fc.oneof(
    { weight: 2, arbitrary: text.map((q) => `?q=${encodeURIComponent(q.toWellFormed().slice(0, 1200))}`) },
    { weight: 1, arbitrary: fc.webQueryParameters().map((value) => `?${value}`) },
    { weight: 2, arbitrary: fc.constant("") },
  );
  const body =
    endpoint.method === "GET"
      ? fc.constant(undefined)
      : fc
          .oneof(
            {
              weight: 8,
              arbitrary: endpoint.input === undefined ? anything : near(endpoint.input as unknown as Schema),
            },
            { weight: 1, arbitrary: anything },
          )
          .map((value) => JSON.stringify(value));
  const headers = fc.record(
    {
      accept: fc.constantFrom("text/event-stream", "application/json", "*/*", ""),
      "idempotency-key": fc.oneof(fc.uuid(), fc.constantFrom("1", "a b", "x".repeat(300))),
      "sec-fetch-site": fc.constantFrom("same-origin", "cross-site"),
      cookie: fc.constantFrom("session=x", "a", "__Host-session=%00; session="),
    },
    { requiredKeys: [] },
  );
  return fc.record({ path, query, body, headers }).map(({ path, query, body, headers }) => ({
    method: endpoint.method,
    url: path + query,
    headers: {
      ...(headers as Record<string, string>),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { payload: body }),
  }));
}

test(`${CALLS} calls near the schemas and far from them: never a 5xx, always our words, the same process`, async () => {
  onTestFailed(() => void process.stdout.write(`FUZZ_CALLS=${CALLS} FUZZ_SEED=${SEED}\n`));
  // Ends the session, removes what the others need, never ends; every-endpoint.test.ts attacks these.
  const left = [
    "POST /api/auth/logout",
    "POST /api/account/sessions/end",
    "DELETE /api/account/sessions/:id",
    "DELETE /api/digital-twins/:id",
    "DELETE /api/organizations/:orgId/users/:userId",
    "DELETE /api/admin/organizations/:id/users/:userId",
    // Confirmed by a name that another of these calls may have given.
    "POST /api/account/deletion",
    "POST /api/organizations/:orgId/deletion",
    "GET /api/events",
  ];
  const endpoints = t.app.endpoints.filter(({ method, path }) => !left.includes(`${method} ${path}`));
  // Endpoints that take a body are where the faults are.
  const arbitrary = fc.oneof(
    ...endpoints.map((endpoint) => ({ weight: endpoint.input === undefined ? 1 : 4, arbitrary: callOf(endpoint) })),
  );
  const calls = fc.sample(arbitrary, { numRuns: CALLS, seed: SEED });
  const statuses = new Map<number, number>();
  const next = calls.values();
  const worker = async () => {
    for (const call of next) {
      const { payload, ...rest } = call;
      const answer = await client.inject(payload === undefined ? rest : { ...rest, payload });
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      const shown = `FUZZ_SEED=${SEED} ${JSON.stringify(call).slice(0, 3000)}\n${answer.statusCode} ${answer.body.slice(0, 500)}`;
      if (![502, 503].includes(answer.statusCode) || !isExpected(call, answer.statusCode))
        expect(answer.statusCode, shown).toBeLessThan(500);
      if (answer.statusCode >= 400) {
        expect(ProblemBody.safeParse(answer.json()).success, shown).toBe(true);
        expect(answer.json().message, shown).toMatch(/[А-Яа-яЁё]{3}/);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  // The fuzz reaches behind the validation: a good part of the calls succeed.
  expect(statuses.get(200)! + (statuses.get(201) ?? 0)).toBeGreaterThan(CALLS / 20);
  expect((await client.get("/api/auth/verify")).statusCode).toBe(200);
  expect((await client.get("/readyz")).statusCode).toBe(200);
  await t.jobsIdle(120_000);
}, 600_000);
