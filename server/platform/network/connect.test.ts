/** Connections through proxies of both kinds in all their failure modes; the platform is a server whose name only the proxy can resolve. */
import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcp, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ProxyAddress } from "#contract/integrations/proxy-address.ts";
import { type Provider, startProvider } from "#server/test/servers/provider-server.ts";
import { type ProxyServer, startHttpProxy, startSocks5 } from "#server/test/servers/proxy-server.ts";
import { certificateFor } from "#server/test/servers/self-signed.ts";
import { connectThrough } from "./connect.ts";
import { createProxied } from "./proxied.ts";
import { type ProxyProblem, proxyFailureOf } from "./proxy-failure.ts";

const LOGIN = { user: "имя:нет", password: "п@роль/#?" };
const PLAIN = { user: "user", password: "pa:ss@word" };

let web: Provider;
let echo: Server;
const proxies: ProxyServer[] = [];
let socks: ProxyServer;
let guarded: ProxyServer;
let http: ProxyServer;
let guardedHttp: ProxyServer;
beforeAll(async () => {
  web = await startProvider(({ path, body }, response) => {
    response.writeHead(200).end(`${path} ${body}`);
  });
  // The server speaks first, like mail servers: its greeting may arrive together with the proxy's last response.
  echo = createTcp((socket) => socket.on("error", () => {}).end("220 ready\r\n"));
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  [socks, guarded] = [await startSocks5(), await startSocks5(LOGIN)];
  [http, guardedHttp] = [await startHttpProxy(), await startHttpProxy(PLAIN)];
  proxies.push(socks, guarded, http, guardedHttp);
});
afterEach(() => {
  for (const proxy of proxies) Object.assign(proxy, { mood: "well", delayMs: 0, targets: [] });
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  await web.close();
  await new Promise((resolve) => echo.close(resolve));
});

const portOf = (root: string) => Number(new URL(root).port);
type Login = { user: string; password: string } | null;
function settings(kind: "socks5" | "http", { port }: { port: number }, login: Login = null, mayBePrivate = true) {
  const address: ProxyAddress = { kind, host: "127.0.0.1", port, user: null, password: null, ...login };
  return { address, mayBePrivate };
}
const kinds = [
  ["socks5", () => socks, () => guarded, LOGIN],
  ["http", () => http, () => guardedHttp, PLAIN],
] as const;

async function problemOf(connecting: Promise<unknown>): Promise<ProxyProblem | undefined> {
  return connecting.then(
    () => undefined,
    (error: unknown) => proxyFailureOf(error)?.problem,
  );
}

describe.each(kinds)("%s", (kind, open, locked, login) => {
  test("a request reaches a server whose name only the proxy knows, with and without a password", async () => {
    const port = portOf(web.root);
    for (const way of [settings(kind, open()), settings(kind, locked(), login)]) {
      const answer = await createProxied(way).fetch(`http://bot-api.test:${port}/a`, { method: "POST", body: "words" });
      expect(await answer.text()).toBe("/a words");
    }
    expect(open().targets).toEqual([`bot-api.test:${port}`]);
    expect(locked().targets).toEqual([`bot-api.test:${port}`]);
    // Without the proxy the name cannot be resolved.
    await expect(fetch(`http://bot-api.test:${port}/a`)).rejects.toThrow();
  });

  test("what a server says first is not lost behind the proxy's answer", async () => {
    const { port } = echo.address() as AddressInfo;
    const socket = await connectThrough(settings(kind, open()), { host: "mail.test", port });
    let said = "";
    for await (const chunk of socket) said += chunk;
    expect(said).toBe("220 ready\r\n");
  });

  test("each failure is known by its kind, and no error has the proxy's password in it", async () => {
    const target = { host: "bot-api.test", port: portOf(web.root) };
    const through = (proxy: { port: number }, secret: Login = null) =>
      connectThrough(settings(kind, proxy, secret), target);
    expect(await problemOf(through(locked(), { ...login, password: "other" }))).toBe("login");
    expect(await problemOf(through(locked()))).toBe("login-missing");
    open().mood = "garbage";
    expect(await problemOf(through(open()))).toBe("protocol");
    open().mood = "hangs-up";
    expect(await problemOf(through(open()))).toBe("cut");
    open().mood = "forbids";
    expect(await problemOf(through(open()))).toBe("forbidden");
    open().mood = "cannot-reach";
    expect(await problemOf(through(open()))).toBe("target");
    expect(await problemOf(through({ port: 9 }))).toBe("refused");
    const failure = await through(locked(), { ...login, password: "other" }).catch((error: unknown) => error);
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain("other");
    open().mood = "silent";
    const controller = new AbortController();
    const waiting = connectThrough(settings(kind, open()), target, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("given up")), 50);
    await expect(waiting).rejects.toThrow("given up");
  });

  test("certificates are verified behind the proxy, and of the name that was asked for", async () => {
    const { key, cert } = await certificateFor("secure.test");
    const server = createServer({ key, cert }, (_request, response) => response.end("ok"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const way = createProxied(settings(kind, open()));
    const wrong = await way.fetch(`https://secure.test:${port}/`).catch((error: Error) => error.cause);
    expect((wrong as { code: string }).code).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(await (await way.fetchTrusting([cert])(`https://secure.test:${port}/`)).text()).toBe("ok");
    const other = await way
      .fetchTrusting([cert])(`https://other.test:${port}/`)
      .catch((error: Error) => error.cause);
    expect((other as { code: string }).code).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

test("a proxy in a private network is connected to only where whoever runs the installation has named it", async () => {
  const target = { host: "bot-api.test", port: portOf(web.root) };
  for (const host of ["127.0.0.1", "10.0.0.7", "localhost", "169.254.169.254", "::1"]) {
    const { address } = settings("socks5", socks);
    const way = { address: { ...address, host }, mayBePrivate: false };
    expect(await problemOf(connectThrough(way, target))).toBe("private");
  }
  expect(socks.targets).toEqual([]);
});

test("a proxy that is slow is waited for", async () => {
  guarded.delayMs = 300;
  const target = { host: "bot-api.test", port: portOf(web.root) };
  const hops: string[] = [];
  const passed = (hop: string, ms: number) => hops.push(ms >= 290 ? `${hop} slow` : hop);
  (await connectThrough(settings("socks5", guarded, LOGIN), target, { passed })).destroy();
  expect(hops).toEqual(["name", "tcp", "proxy slow"]);
});

test("a relay admits only its client, and ends with it", async () => {
  const { port } = echo.address() as AddressInfo;
  const relay = await createProxied(settings("socks5", socks)).relay({ host: "mail.test", port, tls: false });
  let said = "";
  for await (const chunk of connect(relay.path)) said += chunk;
  expect(said).toBe("220 ready\r\n");
  await relay.close();
  const late = connect(relay.path);
  await expect(new Promise((_resolve, reject) => late.on("error", reject))).rejects.toThrow();
});
