import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProxied } from "#server/platform/network/proxied.ts";
import { type Provider, startProvider } from "#server/test/servers/provider-server.ts";
import { startHttpProxy } from "#server/test/servers/proxy-server.ts";
import { MaxRefusal, MaxSilence, maxCalls } from "./api.ts";

let respond: (response: ServerResponse) => void;
let max: Provider;
let seen: { authorization: string | undefined; url: string };
beforeAll(async () => {
  max = await startProvider(({ path, query, headers }, response) => {
    seen = { authorization: headers.authorization, url: `${path}?${query}` };
    respond(response);
  });
});
afterAll(() => max.close());

const call = (more: object = {}, apiUrl = max.root) =>
  maxCalls({ token: "t1\n", apiUrl, roots: [], ...more })("/me", {
    ...{ query: { count: "1" }, signal: AbortSignal.timeout(10_000) },
  });
const failure = (more?: object, apiUrl?: string) => call(more, apiUrl).catch((error: unknown) => error);
const replying = (status: number, body: string, headers: Record<string, string> = {}) => {
  respond = (response) => response.writeHead(status, headers).end(body);
};

test("an answer comes with the platform's clock, if it tells the time", async () => {
  replying(200, '{"ok":true}', { date: "Tue, 12 Mar 2024 11:05:00 GMT" });
  expect(await call()).toEqual({ body: { ok: true }, at: Date.UTC(2024, 2, 12, 11, 5) });
  expect(seen).toEqual({ authorization: "t1%0A", url: "/me?count=1" });
  respond = (response) => {
    response.sendDate = false;
    response.end("{}");
  };
  expect(await call()).toEqual({ body: {}, at: null });
});

test.each<[number, string, Record<string, string>, object]>([
  [403, '{"code":"chat.denied"}', {}, { status: 403, code: "chat.denied", afterMs: null }],
  [429, '{"code":7}', { "retry-after": "7" }, { status: 429, code: "", afterMs: 7_000 }],
  [429, "null", { "retry-after": "soon" }, { status: 429, code: "", afterMs: null }],
  [502, "<html>", {}, { status: 502, code: "", afterMs: null }],
])("a refusal %i %s keeps what the platform says", async (status, body, headers, refusal) => {
  replying(status, body, headers);
  const error = await failure();
  expect(error).toBeInstanceOf(MaxRefusal);
  expect(error).toMatchObject(refusal);
});

test("a page in place of an answer, or a cut one, leaves it open what has happened; without a connection nothing was sent", async () => {
  replying(200, "<html>");
  expect(await failure()).toMatchObject({ unsent: false });
  respond = (response) => {
    response.writeHead(200, { "content-length": "100" }).write("{");
    response.socket!.destroySoon();
  };
  expect(await failure()).toMatchObject({ unsent: false, untrusted: false });
  respond = (response) => response.socket!.resetAndDestroy();
  expect(await failure()).toMatchObject({ unsent: false });
  const gone = await startProvider(() => {});
  await gone.close();
  const error = await failure({}, gone.root);
  expect(error).toBeInstanceOf(MaxSilence);
  expect(error).toMatchObject({ unsent: true });
});

test("an answer that does not end is cut off", async () => {
  respond = (response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1_000_000, " ")));
    };
    response.on("drain", more);
    more();
  };
  expect(await failure()).toMatchObject({ cause: new RangeError("the answer is too long") });
});

test("through a proxy the answer is the same, and a proxy that is away has sent nothing", async () => {
  const server = await startHttpProxy();
  const address = { kind: "http" as const, host: "127.0.0.1", port: server.port, user: null, password: null };
  const proxy = createProxied({ address, mayBePrivate: true });
  replying(200, "{}");
  expect(await call({ proxy })).toMatchObject({ body: {} });
  expect(server.targets).toEqual([max.root.slice("http://".length)]);
  await server.close();
  expect(await failure({ proxy })).toMatchObject({ unsent: true });
});
