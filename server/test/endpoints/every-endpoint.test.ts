/** Attacks every mounted endpoint: with wrong callers, other organisations' rows, invalid bodies and invalid ids. */
import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { ERROR_CODES } from "#contract/error-codes.ts";
import { ProblemBody } from "#contract/problem.ts";
import { type TestApp, type TestClient, testApp } from "../test-app.ts";
import type { EndpointCase } from "./endpoint-case.ts";
import { ENDPOINT_CASES } from "./endpoint-cases.ts";
import { makeThings } from "./make-things.ts";
import { recordRowChanges } from "./row-changes.ts";
import { send } from "./send-case.ts";
import type { Things } from "./things.ts";

let t: TestApp;
/** The twins' owner (role user), his organisation's administrator and viewer, and someone of another organisation. */
let owner: TestClient;
let admin: TestClient;
let caller: TestClient;
let stranger: TestClient;
/** The platform's administrator, at home in an organisation of his own. */
let chief: TestClient;
let own: Things;
let foreign: Things;
let rowChanges: () => Promise<string[]>;

beforeAll(async () => {
  t = await testApp();
  admin = await t.signUp();
  const { organizationId } = admin.caller;
  owner = await t.signUp({ role: "user", organizationId });
  caller = await t.signUp({ role: "viewer", organizationId });
  stranger = await t.signUp();
  chief = await t.signUp({ superAdmin: true });
  own = await makeThings(t, owner);
  foreign = await makeThings(t, stranger);
  rowChanges = await recordRowChanges(t.services.db);
  await t.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => t.close());

const keyOf = ({ method, path }: Pick<Endpoint, "method" | "path">) => `${method} ${path}`;
const endpointOf = (key: string): Endpoint => {
  const found = t.app.endpoints.find((endpoint) => keyOf(endpoint) === key);
  if (found === undefined) throw new Error(`${key} is not mounted`);
  return found;
};
const CASES = Object.entries(ENDPOINT_CASES).map(([key, value]) => ({ key, ...value, endpointCase: value }));
const namesRow = (key: string): boolean => /\/:\w*id\b/i.test(key);
const WITH_ID = CASES.filter(({ key }) => namesRow(key));
const READS_A_BODY = CASES.filter(({ key }) => !key.startsWith("GET "));
const JSON_INPUT = CASES.filter(({ body, file }) => body !== undefined && file === undefined);
const WITH_REFERENCES = CASES.filter(({ references }) => references !== undefined);

/** The members of the same organisation who may call an endpoint, and those who may not. */
function peopleOf({ access }: Endpoint): { allowed: TestClient[]; refused: TestClient[] } {
  if (access === "super_admin" || access === "installation")
    return { allowed: [chief], refused: [owner, admin, caller] };
  if (access === "org_admin") return { allowed: [admin], refused: [owner, caller] };
  if (access === "editor") return { allowed: [owner, admin], refused: [caller] };
  return { allowed: [owner, admin, caller], refused: [] };
}
/** Somebody who may make the call. */
const callerOf = (key: string): TestClient => peopleOf(endpointOf(key)).allowed[0]!;

/** Whatever `attack` sends, no row is made, changed or removed. */
async function unchanged(attack: () => Promise<void>): Promise<void> {
  await t.jobsIdle();
  await rowChanges();
  await attack();
  await t.jobsIdle();
  expect(await rowChanges()).toEqual([]);
}

/** Made beside `own`, and what of them has been used up: making things costs more than most attacks. */
const spares: { things: Things; used: Set<keyof Things> }[] = [];

async function spareThings(consumed: NonNullable<EndpointCase["consumes"]>): Promise<Things> {
  if (consumed === "everything") return makeThings(t, owner);
  let spare = spares.find(({ used }) => consumed.every((thing) => !used.has(thing)));
  if (spare === undefined) {
    spare = { things: await makeThings(t, owner), used: new Set() };
    spares.push(spare);
  }
  for (const thing of consumed) spare.used.add(thing);
  return spare.things;
}

type Answer = Pick<LightMyRequestResponse, "statusCode" | "body" | "headers">;

/** A refusal in our own words: 4xx, a Russian sentence, a code, a request id, nothing of our insides. */
function expectRefusal(answer: Answer, status: number | readonly number[] | undefined, why: string): void {
  const said = `${why}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
  expect(answer.statusCode, said).toBeGreaterThanOrEqual(400);
  expect(answer.statusCode, said).toBeLessThan(500);
  if (status !== undefined) expect([status].flat(), said).toContain(answer.statusCode);
  expect(String(answer.headers["content-type"]), said).toContain("application/json");
  const body = JSON.parse(answer.body) as ProblemBody;
  expect(Object.keys(body).sort(), said).toEqual(
    body.fields === undefined ? ["code", "message", "requestId"] : ["code", "fields", "message", "requestId"],
  );
  expect(ProblemBody.safeParse(body).success, said).toBe(true);
  for (const sentence of [body.message, ...Object.values(body.fields ?? {})]) {
    expect(sentence, said).toMatch(/[А-Яа-яЁё]{3}/);
    expect(sentence, said).not.toMatch(/expected|invalid|select |insert |\bat .+:\d+/i);
  }
  expect(ERROR_CODES, said).toContain(body.code);
  expect(body.requestId, said).toMatch(/^[0-9a-f-]{36}$/);
}

describe("the table of cases", () => {
  test("contains exactly the mounted endpoints, so that a new one needs a case", () => {
    expect(Object.keys(ENDPOINT_CASES).sort()).toEqual(t.app.endpoints.map(keyOf).sort());
  });

  test("only the documentation page is mounted under /api without being in the contract", () => {
    const routes = t.app.printRoutes({ commonPrefix: false });
    const mounted = new Set(t.app.endpoints.map(({ path }) => path.split("/")[2]!));
    const lines = routes.split("\n").filter((line) => line.includes("api/"));
    const strange = lines.filter(
      (line) => ![...mounted, "docs"].some((name) => line.includes(`api/${name}`) || line.includes(`${name}`)),
    );
    expect(strange).toEqual([]);
  });
});

test("the snapshot of the database notices a row that a call has created", async () => {
  await rowChanges();
  expect(
    (await send(owner, ENDPOINT_CASES["POST /api/digital-twins"]!, "POST /api/digital-twins", own)).statusCode,
  ).toBe(201);
  expect(await rowChanges()).toContain("INSERT twins");
});

describe("who may call", () => {
  test.each(CASES)(
    "$key: callers without a session are refused unless the call is public",
    async ({ key, endpointCase }) => {
      if (endpointOf(key).access === "public") return;
      await unchanged(async () => {
        for (const headers of [
          {},
          { authorization: "Bearer " },
          { authorization: `Bearer ${"x".repeat(43)}` },
          { authorization: `Basic ${owner.token}` },
          { cookie: `session=${owner.token}; __Host-session=${owner.token}` },
        ]) {
          const inject: TestClient["inject"] = (options) =>
            t.anonymous.inject({ ...options, headers: { ...(options.headers as object), ...headers } });
          expectRefusal(await send({ inject }, endpointCase, key, own), 401, JSON.stringify(headers));
        }
      });
    },
  );

  test.each(CASES)("$key: exactly the roles that the contract allows may call it", async ({ key, endpointCase }) => {
    const endpoint = endpointOf(key);
    const { allowed, refused } = peopleOf(endpoint);
    await unchanged(async () => {
      for (const client of refused) {
        expectRefusal(await send(client, endpointCase, key, own), 403, `${client.caller.role} may not`);
      }
    });
    if (endpointCase.personal) {
      await unchanged(async () => {
        for (const colleague of allowed.filter((client) => client !== owner)) {
          expectRefusal(await send(colleague, endpointCase, key, own), 404, "a colleague's letters are not there");
        }
      });
    }
    if (endpointCase.authors) {
      await unchanged(async () => {
        for (const colleague of allowed.filter((client) => client !== owner)) {
          expectRefusal(await send(colleague, endpointCase, key, own), 403, "a colleague's notes are only read");
        }
      });
    }
    const callers = endpointCase.personal || endpointCase.authors ? [owner] : allowed;
    for (const caller of callers) {
      const things = endpointCase.consumes && namesRow(key) ? await spareThings(endpointCase.consumes) : own;
      // Signing out and the like must not end the session that the other tests use.
      const { role, organizationId } = caller.caller;
      const client = endpointCase.consumes && !namesRow(key) ? await t.signUp({ role, organizationId }) : caller;
      const answer = await send(client, endpointCase, key, things);
      expect(answer.statusCode, `${caller.caller.role}: ${answer.body}`).toBe(endpointCase.answers ?? endpoint.status);
    }
    await t.jobsIdle();
  });

  test.each(WITH_ID)("$key: another organisation's row is 404 and stays unchanged", async ({ key, endpointCase }) => {
    await unchanged(async () => {
      const platform = ["super_admin", "installation"].includes(endpointOf(key).access);
      expectRefusal(await send(stranger, endpointCase, key, own), platform ? 403 : 404, "a stranger");
      const nowhere = {
        ...(Object.fromEntries(Object.keys(own).map((name) => [name, randomUUID()])) as unknown as Things),
        messageId: "999999999999999",
        chatId: "999999999999999",
        personId: "999999999999999",
        pairId: "999999999999999",
        openReplyId: "999999999999999",
        proposalId: "999999999999999",
        chatFactId: "999999999999999",
        gapQuestionId: "999999999999999",
      };
      expectRefusal(await send(callerOf(key), endpointCase, key, nowhere), 404, "no such row");
    });
  });

  test.each(CASES.filter(({ key }) => !namesRow(key)))(
    "$key: tells a stranger nothing of ours",
    async ({ key, endpointCase }) => {
      const { organizationId } = stranger.caller;
      const answer = await send(await t.signUp({ organizationId }), endpointCase, key, foreign);
      // Small numbers stand everywhere.
      const named = Object.entries(own).filter(([name, id]) => !/^\d+$/.test(id) && name !== "planId");
      const ids = named.map(([, id]) => id);
      expect(ids.length).toBeGreaterThan(15);
      for (const id of [...ids, owner.caller.userId, owner.caller.organizationId]) {
        expect(answer.body).not.toContain(id);
      }
    },
  );

  test.each(WITH_REFERENCES)("$key: another organisation's id in the body is 404", async ({ key, endpointCase }) => {
    await unchanged(async () => {
      for (const [field, thing] of Object.entries(endpointCase.references!)) {
        expectRefusal(await send(owner, endpointCase, key, own, { [field]: foreign[thing] }), 404, field);
        expectRefusal(await send(owner, endpointCase, key, own, { [field]: randomUUID() }), 404, field);
      }
    });
  });

  test("a test chat can be continued only by the member who opened it and only with its own twin", async () => {
    const [key, message] = ["POST /api/ai-generate", "И что?"];
    const other = await makeThings(t, owner);
    await unchanged(async () => {
      const { conversationId, twinId } = own;
      expectRefusal(await send(admin, ENDPOINT_CASES[key]!, key, own, { conversationId, message }), 404, "a colleague");
      expectRefusal(
        await send(owner, ENDPOINT_CASES[key]!, key, other, { conversationId, message }),
        404,
        "another twin",
      );
      expectRefusal(
        await send(owner, ENDPOINT_CASES[key]!, key, own, { conversationId: other.conversationId, twinId }),
        404,
        "another twin's chat",
      );
    });
  });

  test("owner, organisation and status in a request body are ignored", async () => {
    const forged = {
      status: "ready",
      ownerId: stranger.caller.userId,
      userId: stranger.caller.userId,
      orgId: stranger.caller.organizationId,
      organizationId: stranger.caller.organizationId,
      role: "org_admin",
      superAdmin: true,
    };
    const before = await send(stranger, ENDPOINT_CASES["GET /api/activity/recent"]!, "GET /api/activity/recent", own);
    for (const { key, endpointCase } of JSON_INPUT.filter(({ consumes }) => !consumes)) {
      // A field of the call's own is no forgery.
      const fields = endpointCase.body!(own);
      const foreign = Object.fromEntries(Object.entries(forged).filter(([name]) => !(name in fields)));
      const answer = await send(callerOf(key), endpointCase, key, own, foreign);
      expect(answer.statusCode, `${key}: ${answer.body}`).toBe(endpointCase.answers ?? endpointOf(key).status);
      expect(answer.body, key).not.toContain(stranger.caller.organizationId);
      expect(answer.body, key).not.toContain('"superAdmin":true');
    }
    const after = await send(stranger, ENDPOINT_CASES["GET /api/activity/recent"]!, "GET /api/activity/recent", own);
    expect(after.body).toBe(before.body);
    await t.jobsIdle();
  });
});

test.each([
  ["/api/notes/:id", "POST /api/conversations/:id/notes", "noteId"],
  ["/api/contact-facts/:id", "POST /api/conversations/:id/contact/facts", "factId"],
])("%s: what is removed while it is edited is gone, not broken", async (path, making, name) => {
  const call = (key: string, things: Things) => send(owner, ENDPOINT_CASES[key]!, key, things);
  for (let round = 0; round < 10; round++) {
    const things = { ...own, [name]: (await call(making, own)).json().id };
    const [edited, removed] = await Promise.all([call(`PUT ${path}`, things), call(`DELETE ${path}`, things)]);
    expect([edited.statusCode, removed.statusCode]).toEqual([expect.toBeOneOf([200, 404]), 204]);
  }
});

/** Bytes that are no JSON of ours, with the statuses that may answer them. */
const RAW_BODIES: [name: string, body: Buffer | string, status: number, type?: string][] = [
  ["a cut object", '{"name":', 400],
  ["broken UTF-8", Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400],
  ["an overlong UTF-8 sequence", Buffer.from([0x22, 0xc0, 0x80, 0x22]), 400],
  ["a NUL", '{"name":"a\\u0000b"}', 400],
  ["a NUL in a name", '{"a\\u0000b":1}', 400],
  ["a lone surrogate", '{"name":"\\ud800"}', 400],
  ["a lone surrogate in a name", '{"\\udfff":1}', 400],
  ["__proto__", '{"__proto__":{"role":"org_admin"}}', 400],
  ["constructor", '{"constructor":{"prototype":{"role":"org_admin"}}}', 400],
  ["200,000 arrays", `${"[".repeat(200_000)}${"]".repeat(200_000)}`, 400],
  ["200,000 open arrays", "[".repeat(200_000), 400],
  ["2 MB of JSON", JSON.stringify({ name: "x".repeat(2 * 1024 * 1024) }), 413],
  ["text", "name=1", 415, "text/plain"],
  ["a form", "name=1", 415, "application/x-www-form-urlencoded"],
  ["XML", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 415, "application/xml"],
];

describe("bodies", () => {
  test.each(READS_A_BODY)("$key: invalid JSON is refused", async ({ key, url }) => {
    const method = key.split(" ")[0] as "POST";
    await unchanged(async () => {
      for (const [name, payload, status, type = "application/json"] of RAW_BODIES) {
        const request = { method, url: encodeURI(url(own)), payload, headers: { "content-type": type } };
        expectRefusal(await callerOf(key).inject(request), status, name);
      }
    });
  });

  test.each(JSON_INPUT)(
    "$key: another type than the agreed one is refused, whole or in a field",
    async ({ key, url, body }) => {
      const method = key.split(" ")[0] as "POST";
      const right = body!(own);
      await unchanged(async () => {
        const request = { method, url: encodeURI(url(own)) };
        expectRefusal(await callerOf(key).inject(request), 400, "no body");
        expectRefusal(
          await callerOf(key).inject({ ...request, headers: { "content-type": "application/json" } }),
          400,
          "empty",
        );
        for (const wrong of [null, [], [right], "текст", 5, true, {}]) {
          const answer = await callerOf(key).inject({
            ...request,
            payload: JSON.stringify(wrong),
            headers: { "content-type": "application/json" },
          });
          expectRefusal(answer, 400, JSON.stringify(wrong));
        }
        for (const field of Object.keys(right)) {
          for (const value of [null, {}, [[]], [null], -1.5, { $ne: null }]) {
            const payload = { ...right, [field]: value };
            // A login that is well-formed and wrong is 401: the shape of an unknown field is nobody's business there.
            expectRefusal(
              await callerOf(key).inject({ ...request, payload }),
              [400, 401],
              `${field} ${JSON.stringify(value)}`,
            );
          }
        }
      });
    },
  );

  test("a form instead of JSON is refused, and so is JSON instead of a form", async () => {
    await unchanged(async () => {
      for (const { key, url, body } of JSON_INPUT) {
        const form = new FormData();
        for (const [name, value] of Object.entries(body!(own))) form.set(name, String(value));
        const method = key.split(" ")[0] as "POST";
        expectRefusal(await owner.inject({ method, url: encodeURI(url(own)), payload: form }), undefined, key);
      }
      const posing = { digitalTwinId: own.twinId, file: { path: "/etc/passwd", filepath: "/etc/passwd" } };
      expectRefusal(await owner.post("/api/imports", posing), 415, "JSON posing as an upload");
      const broken = { method: "POST", url: "/api/imports", payload: "--x\r\nnonsense" } as const;
      for (const type of ["multipart/form-data", "multipart/form-data; boundary=x", "multipart/form-data; boundary="]) {
        expectRefusal(await owner.inject({ ...broken, headers: { "content-type": type } }), undefined, type);
        const documents = { ...broken, url: "/api/knowledge/upload", headers: { "content-type": type } };
        expectRefusal(await owner.inject(documents), undefined, type);
      }
    });
  });
});

const MALFORMED_IDS = [
  "..",
  "../..",
  "%2e%2e",
  "%252e%252e",
  "..%2f..%2fapi%2fconfig",
  "%00",
  "a%00b",
  "%",
  "%ff",
  "%ed%a0%80",
  "null",
  "undefined",
  "1",
  "-1",
  "1'%20or%20'1'='1",
  "00000000-0000-0000-0000-00000000000",
  "%7B%7D",
  "a".repeat(10_000),
  "%61".repeat(3_000),
];

describe("addresses", () => {
  test.each(WITH_ID)("$key: a malformed id is a clear 4xx", async ({ key, url, body }) => {
    const [method, path] = key.split(" ") as [string, string];
    const pattern = url(Object.fromEntries(Object.keys(own).map((name) => [name, "{id}"])) as unknown as Things);
    await unchanged(async () => {
      for (const id of MALFORMED_IDS) {
        const answer = await rawRequest(
          method,
          encodeURI(pattern).replaceAll("%7Bid%7D", id),
          body?.(own),
          callerOf(key),
        );
        expectRefusal(answer, undefined, `${path} ${id.slice(0, 40)}`);
      }
    });
  });

  test("an id in a body or a query is checked as well", async () => {
    await unchanged(async () => {
      for (const { key, references, file, endpointCase } of WITH_REFERENCES) {
        for (const field of Object.keys(references!)) {
          for (const id of ["..", "%00", "%252e", "", "1", "a".repeat(10_000), [own.twinId], { id: own.twinId }]) {
            // A form has nothing but text.
            if (file !== undefined && typeof id !== "string") continue;
            expectRefusal(await send(owner, endpointCase, key, own, { [field]: id }), 400, `${key} ${field} ${id}`);
          }
        }
      }
      for (const query of ["", "?q=", "?q=%20", "?q=a&q=b", `?q=${"a".repeat(5000)}`, "?__proto__=1", "?q[]=a"]) {
        expectRefusal(await owner.get(`/api/digital-twins/${own.twinId}/search${query}`), 400, query);
      }
      for (const query of ["?q=%00", "?q=%ff", "?q=%"]) {
        const answer = await owner.get(`/api/digital-twins/${own.twinId}/search${query}`);
        if (answer.statusCode !== 200) expectRefusal(answer, 400, query);
      }
    });
  });

  test("a differently spelt URL is the same call: it needs a session, is rate-limited and is never cached", async () => {
    for (const path of ["/%61pi/digital-twins", "http://elsewhere.test/api/digital-twins", "/api/digital-twins/"]) {
      const answer = await rawRequest("GET", path);
      expect(answer.statusCode, path).toBe(200);
      expect(answer.headers["cache-control"], path).toBe("no-store");
    }
  });

  test("an unknown URL is 404 with our error body, for every method", async () => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      for (const url of ["/api/nothing", "/api", "/api/", "/api/digital-twins/x/y/z", "/api/../etc/passwd"]) {
        expectRefusal(await rawRequest(method, url), [404, 405], `${method} ${url}`);
      }
    }
  });

  test("after all these calls the server still works", async () => {
    expect((await owner.get("/readyz")).json()).toEqual({ status: "ok" });
    expect((await send(owner, ENDPOINT_CASES["POST /api/ai-generate"]!, "POST /api/ai-generate", own)).statusCode).toBe(
      200,
    );
  });
});

/** As the owner, with the path as it stands: `inject` and `fetch` would tidy it up. */
function rawRequest(
  method: string,
  path: string,
  body?: EndpointCase["body"] | object,
  client: TestClient = owner,
): Promise<Answer> {
  const { port } = t.app.server.address() as AddressInfo;
  const headers: Record<string, string> = { authorization: `Bearer ${client.token}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, method, path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({
        statusCode: response.statusCode!,
        headers: response.headers,
        body: Buffer.concat(chunks).toString(),
      } as Answer);
    });
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
