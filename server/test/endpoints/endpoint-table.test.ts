/** What all endpoints share, shown once: each is mounted by `route`, reads its body by the one parser and checks it by its schemas. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { InvalidInput } from "#server/platform/http/route.ts";
import {
  type EndpointBench,
  expectOwnWords,
  expectRefusal,
  keyOf,
  namesRow,
  nowhere,
  openEndpointBench,
} from "./endpoint-bench.ts";
import { ENDPOINT_CASES } from "./endpoint-cases.ts";
import { MALFORMED_IDS } from "./malformed-ids.ts";
import { rawRequest } from "./raw-request.ts";
import { send } from "./send-case.ts";

let bench: EndpointBench;
beforeAll(async () => {
  bench = await openEndpointBench();
  await bench.t.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => bench.t.close());

const CASES = Object.entries(ENDPOINT_CASES).map(([key, endpointCase]) => ({ key, endpointCase }));
const JSON_INPUT = CASES.filter(({ endpointCase: { body, file } }) => body !== undefined && file === undefined);
const WITH_ID = CASES.filter(({ key }) => namesRow(key));
const WITH_REFERENCES = CASES.filter(({ endpointCase }) => endpointCase.references !== undefined);
const methodOf = (key: string) => key.split(" ")[0] as "POST";

/** «GET /api/twins» for each route, of the tree that Fastify draws: a line continues the address of the line that it hangs on. */
function mountedRoutes(tree: string): string[] {
  const addresses: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, drawn, part, methods] = /^([│├└─ ]*)(\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    if (drawn === undefined || part === undefined) return [];
    const depth = drawn.length / 4;
    addresses.length = depth;
    const address = `${addresses.at(-1) ?? ""}${part}`;
    addresses.push(address);
    return (methods ?? "").split(", ").flatMap((method) => (method === "" ? [] : [`${method} ${address}`]));
  });
}

describe("the table of cases", () => {
  test("contains exactly the mounted endpoints, so that a new one needs a case", () => {
    expect(Object.keys(ENDPOINT_CASES).sort()).toEqual(bench.t.app.endpoints.map(keyOf).sort());
  });

  test("only the documentation page is mounted under /api without being in the contract, so all else goes through `route`", () => {
    const mounted = mountedRoutes(bench.t.app.printRoutes({ commonPrefix: false })).filter((key) =>
      key.includes(" /api"),
    );
    const known = new Set(bench.t.app.endpoints.map(keyOf));
    expect(mounted.length).toBeGreaterThan(known.size);
    const strange = mounted.filter((key) => !known.has(key) && !/^(?:HEAD|OPTIONS) /.test(key));
    expect(strange.filter((key) => !/^GET \/api\/docs/.test(key))).toEqual([]);
  });

  test("the snapshot of the database notices a row that a call has created", async () => {
    await bench.rowChanges();
    const key = "POST /api/digital-twins";
    expect((await send(bench.owner, ENDPOINT_CASES[key]!, key, bench.own)).statusCode).toBe(201);
    expect(await bench.rowChanges()).toContain("INSERT twins");
  });
});

/** Bytes that are no JSON of ours, with the status that answers them. */
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
  // The parser belongs to the app and not to an endpoint: one call of each kind shows it, every endpoint that it is in the way.
  const kindOf = ({ key, endpointCase }: (typeof CASES)[number]) =>
    `${methodOf(key)} ${endpointCase.file ? "form" : endpointCase.bytes ? "bytes" : endpointCase.body ? "JSON" : "none"}`;
  const reading = CASES.filter(({ key }) => !key.startsWith("GET "));
  const kinds = [...Map.groupBy(reading, kindOf)].map(([kind, [one]]) => ({ kind, ...one! }));

  test.each(kinds)("$kind: what is no JSON of ours is refused", async ({ key, endpointCase }) => {
    await bench.unchanged(async () => {
      for (const [name, payload, status, type = "application/json"] of RAW_BODIES) {
        const url = encodeURI(endpointCase.url(bench.own));
        const request = { method: methodOf(key), url, payload, headers: { "content-type": type } };
        expectRefusal(await bench.callerOf(key).inject(request), status, name);
      }
    });
  });

  test("every endpoint refuses invalid JSON before anything else is done", async () => {
    await bench.unchanged(async () => {
      for (const { key, endpointCase } of reading) {
        const url = encodeURI(endpointCase.url(bench.own));
        const headers = { "content-type": "application/json" };
        const request = { method: methodOf(key), url, headers, payload: '{"name":"a\\u0000b"}' };
        expectRefusal(await bench.callerOf(key).inject(request), 400, key);
      }
    });
  });

  /** What the schema says to a body; null: it accepts it. */
  function refusalOf(key: string, body: unknown): string[] | null {
    const result = z.safeParse(bench.endpointOf(key).input!, body);
    if (result.success) return null;
    const { message, fields } = new InvalidInput(result.error);
    return [message, ...Object.values(fields ?? {})];
  }
  const WRONG_FIELDS = [null, {}, [[]], [null], -1.5, { $ne: null }];

  test("every schema refuses another type than the agreed one, whole or in a field, in our own words", async () => {
    const accepted: { key: string; payload: unknown }[] = [];
    for (const { key, endpointCase } of JSON_INPUT) {
      const right = endpointCase.body!(bench.own);
      const wholes = [undefined, null, [], [right], "текст", 5, true, {}];
      const inFields = Object.keys(right).flatMap((field) =>
        WRONG_FIELDS.map((value) => ({ ...right, [field]: value })),
      );
      for (const payload of [...wholes, ...inFields]) {
        const said = refusalOf(key, payload);
        if (said === null) accepted.push({ key, payload });
        else expectOwnWords(said, `${key} ${JSON.stringify(payload)}`);
      }
    }
    // What a schema leaves to its handler is refused there; a login that is well-formed and wrong is 401.
    await bench.unchanged(async () => {
      for (const { key, payload } of accepted) {
        const url = encodeURI(ENDPOINT_CASES[key]!.url(bench.own));
        const headers = { "content-type": "application/json" };
        const request = { method: methodOf(key), url, headers, payload: JSON.stringify(payload) ?? "" };
        expectRefusal(await bench.callerOf(key).inject(request), [400, 401], `${key} ${JSON.stringify(payload)}`);
      }
    });
  });

  test.each(kinds.filter(({ kind }) => kind.endsWith("JSON")))(
    "$kind: a refused schema is answered 400, without a body too",
    async ({ key, endpointCase }) => {
      const request = { method: methodOf(key), url: encodeURI(endpointCase.url(bench.own)) };
      const client = bench.callerOf(key);
      await bench.unchanged(async () => {
        expectRefusal(await client.inject(request), 400, "no body");
        const headers = { "content-type": "application/json" };
        for (const payload of ["", "null", "[]", "5", '"текст"'])
          expectRefusal(await client.inject({ ...request, headers, payload }), 400, payload);
      });
    },
  );

  test("a form instead of JSON is refused, and so is JSON instead of a form", async () => {
    const { own, owner, unchanged } = bench;
    await unchanged(async () => {
      for (const { key, endpointCase } of JSON_INPUT) {
        const form = new FormData();
        for (const [name, value] of Object.entries(endpointCase.body!(own))) form.set(name, String(value));
        const request = { method: methodOf(key), url: encodeURI(endpointCase.url(own)), payload: form };
        expectRefusal(await owner.inject(request), undefined, key);
      }
      const posing = { digitalTwinId: own.twinId, file: { path: "/etc/passwd", filepath: "/etc/passwd" } };
      expectRefusal(await owner.post("/api/imports", posing), 415, "JSON posing as an upload");
      const broken = { method: "POST", url: "/api/imports", payload: "--x\r\nnonsense" } as const;
      for (const type of ["multipart/form-data", "multipart/form-data; boundary=x", "multipart/form-data; boundary="]) {
        const headers = { "content-type": type };
        expectRefusal(await owner.inject({ ...broken, headers }), undefined, type);
        expectRefusal(await owner.inject({ ...broken, url: "/api/knowledge/upload", headers }), undefined, type);
      }
    });
  });
});

describe("addresses", () => {
  /** The address with the same malformed text in place of each id. */
  const addressWith = (key: string, id: string): string => {
    const names = Object.fromEntries(Object.keys(bench.own).map((name) => [name, "{id}"]));
    return encodeURI(ENDPOINT_CASES[key]!.url(names as never)).replaceAll("%7Bid%7D", id);
  };
  const attack = async (key: string, id: string) => {
    const { t, own, callerOf } = bench;
    const body = ENDPOINT_CASES[key]!.body?.(own);
    const answer = await rawRequest(t, callerOf(key), methodOf(key), addressWith(key, id), body);
    expectRefusal(answer, undefined, `${key} ${id.slice(0, 40)}`);
  };

  test("a malformed id is a clear 4xx, however it is encoded", async () => {
    // How an address is taken apart is the router's: one call for each method and each form of its ids.
    const formOf = (key: string) => `${methodOf(key)} ${JSON.stringify(z.toJSONSchema(bench.endpointOf(key).params!))}`;
    const forms = [...Map.groupBy(WITH_ID, ({ key }) => formOf(key))].map(([, [one]]) => one!);
    expect(forms.length).toBeGreaterThan(8);
    await bench.unchanged(async () => {
      for (const { key } of forms) for (const id of MALFORMED_IDS) await attack(key, id);
    });
  });

  test("every endpoint refuses an id that is none in its schema of parameters, in our own words", async () => {
    const decoded = MALFORMED_IDS.flatMap((id) => {
      try {
        return [decodeURIComponent(id)];
      } catch {
        return [];
      }
    });
    const accepted: { key: string; id: string }[] = [];
    for (const { key } of WITH_ID) {
      const { params, path } = bench.endpointOf(key);
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
      for (const id of decoded) {
        const result = z.safeParse(params!, Object.fromEntries(names.map((name) => [name, id])));
        if (result.success) accepted.push({ key, id });
        else expectOwnWords([new InvalidInput(result.error).message], `${key} ${id}`);
      }
    }
    await bench.unchanged(async () => {
      for (const { key, id } of accepted) await attack(key, encodeURIComponent(id));
    });
  });

  test("an id in a body or a query is checked as well", async () => {
    const { owner, own } = bench;
    await bench.unchanged(async () => {
      for (const { key, endpointCase } of WITH_REFERENCES) {
        const { references, file } = endpointCase;
        for (const field of Object.keys(references!)) {
          for (const id of ["..", "%00", "%252e", "", "1", "a".repeat(10_000), [own.twinId], { id: own.twinId }]) {
            // A form has nothing but text.
            if (file !== undefined && typeof id !== "string") continue;
            expectRefusal(await send(owner, endpointCase, key, own, { [field]: id }), 400, `${key} ${field} ${id}`);
          }
        }
      }
      for (const query of ["", "?q=", "?q=%20", "?q=a&q=b", `?q=${"a".repeat(5000)}`, "?__proto__=1", "?q[]=a"])
        expectRefusal(await owner.get(`/api/digital-twins/${own.twinId}/search${query}`), 400, query);
      for (const query of ["?q=%00", "?q=%ff", "?q=%"]) {
        const answer = await owner.get(`/api/digital-twins/${own.twinId}/search${query}`);
        if (answer.statusCode !== 200) expectRefusal(answer, 400, query);
      }
    });
  });

  test("a differently spelt URL is the same call: it needs a session, is rate-limited and is never cached", async () => {
    const { t, owner } = bench;
    for (const path of ["/%61pi/digital-twins", "http://elsewhere.test/api/digital-twins", "/api/digital-twins/"]) {
      const answer = await rawRequest(t, owner, "GET", path);
      expect(answer.statusCode, path).toBe(200);
      expect(answer.headers["cache-control"], path).toBe("no-store");
    }
  });

  test("an unknown URL is 404 with our error body, for every method", async () => {
    const { t, owner } = bench;
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      for (const url of ["/api/nothing", "/api", "/api/", "/api/digital-twins/x/y/z", "/api/../etc/passwd"])
        expectRefusal(await rawRequest(t, owner, method, url), [404, 405], `${method} ${url}`);
  });
});

describe("rows", () => {
  test("a test chat can be continued only by the member who opened it and only with its own twin", async () => {
    const { own, admin, owner, unchanged, spareThings } = bench;
    const [key, message] = ["POST /api/ai-generate", "И что?"];
    const other = await spareThings("everything");
    const ask = (client: typeof owner, things: typeof own, changes: object) =>
      send(client, ENDPOINT_CASES[key]!, key, things, { ...changes, message });
    await unchanged(async () => {
      const { conversationId, twinId } = own;
      expectRefusal(await ask(admin, own, { conversationId }), 404, "a colleague");
      expectRefusal(await ask(owner, other, { conversationId }), 404, "another twin");
      expectRefusal(await ask(owner, own, { conversationId: other.conversationId, twinId }), 404, "its chat");
      expectRefusal(await ask(owner, nowhere(own), {}), 404, "no twin");
    });
  });

  test.each([
    ["/api/notes/:id", "POST /api/conversations/:id/notes", "noteId"],
    ["/api/contact-facts/:id", "POST /api/conversations/:id/contact/facts", "factId"],
  ])("%s: what is removed while it is edited is gone, not broken", async (path, making, name) => {
    const call = (key: string, things: typeof bench.own) => send(bench.owner, ENDPOINT_CASES[key]!, key, things);
    for (let round = 0; round < 10; round++) {
      const things = { ...bench.own, [name]: (await call(making, bench.own)).json().id };
      const [edited, removed] = await Promise.all([call(`PUT ${path}`, things), call(`DELETE ${path}`, things)]);
      expect([edited.statusCode, removed.statusCode]).toEqual([expect.toBeOneOf([200, 404]), 204]);
    }
  });

  test("after all these calls the server still works", async () => {
    const { owner, own } = bench;
    expect((await owner.get("/readyz")).json()).toEqual({ status: "ok" });
    const key = "POST /api/ai-generate";
    expect((await send(owner, ENDPOINT_CASES[key]!, key, own)).statusCode).toBe(200);
  });
});
