/** A page of another site whose name points at this server (DNS rebinding) gets no data. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEMO_TOKEN } from "#contract/organizations/auth.ts";
import { createApp, createHealthApp } from "#server/app.ts";
import { sessions } from "#server/platform/db/schema/accounts.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { isOwnHost } from "./own-hosts.ts";
import { createUpgradingServer } from "./upgrading-server.ts";

// The scripts are plain JavaScript outside this project's types.
const { freePort } = (await import(new URL("../../../scripts/free-port.mjs", import.meta.url).href)) as {
  freePort: () => Promise<number>;
};

const FAKE_LOGIN = { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" };
const REBOUND = { host: "rebound.example.com:3000", origin: "http://rebound.example.com:3000" };

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ demo: true, publicUrl: "https://twins.example.ru", allowedHosts: ["app"] });
});
afterAll(() => t.close());

describe("a request to a name that is not the server's", () => {
  test.each([
    ["the demo button", "POST", "/api/auth/telegram"],
    ["a login", "POST", "/api/auth/email/login"],
    ["a call of a signed-in user", "GET", "/api/digital-twins"],
    ["the check of a model", "POST", "/api/organizations/1/remote-model/check"],
    ["a stream of events", "GET", "/api/events"],
    ["a call of the API that there is not", "GET", "/api/nothing"],
    ["the page", "GET", "/"],
    ["a page of the router", "GET", "/dashboard"],
    ["a file", "GET", "/widget.js"],
    ["the chat of a site", "GET", "/widget/1"],
    ["a platform's webhook", "POST", "/hooks/x"],
    ["a program with a key", "POST", "/v1/chat/completions"],
    ["MCP", "POST", "/mcp"],
    ["the API's document", "GET", "/api/openapi.json"],
    ["a probe", "GET", "/healthz"],
    ["the readiness", "GET", "/readyz"],
    ["the figures", "GET", "/metrics"],
    ["an address that is no address", "GET", "/%zz"],
  ] as const)("is refused: %s", async (_, method, url) => {
    const headers = { ...REBOUND, authorization: `Bearer ${DEMO_TOKEN}`, "sec-fetch-site": "same-origin" };
    const payload = method === "POST" ? FAKE_LOGIN : undefined;
    const answer = await t.anonymous.inject({ method, url, headers, ...(payload && { payload }) });
    if (url === "/%zz") return expect(answer.statusCode).toBe(400);
    expect(answer.statusCode).toBe(421);
    expect(answer.json()).toEqual({
      message: "Это не адрес этого сервера. Откройте https://twins.example.ru.",
      code: "foreign_host",
      requestId: expect.any(String),
    });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("signs in nobody", async () => {
    const before = await t.services.db.$count(sessions);
    await t.anonymous.inject({ method: "POST", url: "/api/auth/telegram", headers: REBOUND, payload: FAKE_LOGIN });
    expect(await t.services.db.$count(sessions)).toBe(before);
    const own = await t.anonymous.post("/api/auth/telegram", FAKE_LOGIN);
    expect(own.statusCode).toBe(200);
    expect(await t.services.db.$count(sessions)).toBe(before + 1);
  });

  test("is refused whatever a proxy before the server says of another name", async () => {
    const app = await createApp({ ...t.services, config: { ...t.services.config, trustProxy: true } });
    const headers = { ...REBOUND, "x-forwarded-host": "twins.example.ru", forwarded: "host=twins.example.ru" };
    expect((await app.inject({ url: "/api/config", headers })).statusCode).toBe(421);
    await app.close();
  });

  test("is refused by a process that only works, and by one that is being upgraded", async () => {
    const health = await createHealthApp(t.services);
    expect((await health.inject({ url: "/readyz", headers: REBOUND })).statusCode).toBe(421);
    await health.close();
    const port = await freePort();
    const upgrading = createUpgradingServer({ ...t.services.config, host: "127.0.0.1", port });
    upgrading.listen();
    await expect.poll(() => ask(port, "127.0.0.1", "127.0.0.1").then(([status]) => status)).toBe(503);
    expect(await ask(port, "127.0.0.1", REBOUND.host)).toMatchObject([421, { code: "foreign_host" }]);
    await upgrading.close();
  });
});

const given = (host: string | undefined, localAddress?: string) =>
  ({ headers: { host }, socket: { localAddress } }) as unknown as IncomingMessage;

describe("the server's names", () => {
  const settings = { publicUrl: "https://twins.example.ru", allowedHosts: ["app"] };

  test.each([
    "twins.example.ru",
    "TWINS.example.RU:443",
    "twins.example.ru.",
    "app:3000",
    "localhost:5173",
    "127.0.0.1:3000",
    "127.8.8.8",
    "[::1]:3000",
    "[::ffff:127.0.0.1]",
  ])("are those of the settings and of this machine: %s", (host) => {
    expect(isOwnHost(settings, given(host))).toBe(true);
  });

  test.each([
    undefined,
    "",
    "example.ru",
    "evil.twins.example.ru",
    "twins.example.ru.evil.com",
    "localhost.evil.com",
    "127.0.0.1.evil.com",
    "127.0.0.1@evil.com",
    "evil.com/twins.example.ru",
    "twins.example.ru,evil.com",
    "app.evil.com",
    "0.0.0.0:3000",
    "93.184.216.34",
    "[::2]",
    "[::ffff:10.0.0.1]",
    "2130706433",
    "0x7f.1",
  ])("are no others: %s", (host) => {
    expect(isOwnHost(settings, given(host))).toBe(false);
  });

  test("are also the address at which a request has arrived, and no other address", () => {
    expect(isOwnHost(settings, given("10.0.0.7:3000", "10.0.0.7"))).toBe(true);
    expect(isOwnHost(settings, given("10.0.0.7:3000", "::ffff:10.0.0.7"))).toBe(true);
    expect(isOwnHost(settings, given("[fd00:0::7]", "fd00::7"))).toBe(true);
    expect(isOwnHost(settings, given("10.0.0.8:3000", "10.0.0.7"))).toBe(false);
    // A name never matches, even if the socket's address is spelt the same.
    expect(isOwnHost(settings, given("socket", "socket"))).toBe(false);
  });

  test("may be an address, where that is the server's own in the settings", () => {
    const listed = { publicUrl: "http://[fd00::7]:3000", allowedHosts: [] };
    expect(isOwnHost(listed, given("[fd00:0:0::7]:3000"))).toBe(true);
  });
});

async function ask(port: number, address: string, host: string): Promise<[number, Record<string, unknown>]> {
  const sent = request({ host: address, port, path: "/readyz", headers: { host } }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return [answer.statusCode!, JSON.parse(await text(answer))];
}

test("a probe reaches a server by the address of its machine", async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  const app: FastifyInstance = await createApp(t.services);
  await app.listen({ host: own ?? "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  expect((await ask(port, own ?? "127.0.0.1", `${own ?? "127.0.0.1"}:${port}`))[0]).not.toBe(421);
  expect((await ask(port, own ?? "127.0.0.1", "rebound.example.com"))[0]).toBe(421);
  await app.close();
});
