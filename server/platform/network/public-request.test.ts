import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Provider, startProvider } from "#server/test/servers/provider-server.ts";
import { type ProxyServer, startSocks5 } from "#server/test/servers/proxy-server.ts";
import { certificateFor } from "#server/test/servers/self-signed.ts";
import type { ProxySettings } from "./connect.ts";
import { PrivateAddress } from "./public-address.ts";
import { checkAddress, requestPublic } from "./public-request.ts";

let web: Provider;
beforeAll(async () => {
  web = await startProvider(({ path, body, method }, response) => {
    if (path === "/moved") response.writeHead(302, { location: "/elsewhere" });
    if (path === "/silent") return;
    if (path === "/broken") {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setImmediate(() => response.destroy());
      return;
    }
    response.end(`${method} ${path} ${body}`);
  });
});
afterAll(() => web.close());

const ask = (path: string, changes: Partial<Parameters<typeof requestPublic>[1]> = {}) =>
  requestPublic(new URL(path, web.root), {
    ...{ method: "GET", headers: {}, timeoutMs: 10_000, loopback: true, maxBytes: 100 },
    ...changes,
  });

test("a request has its answer whole, without following where it is sent on", async () => {
  expect(await ask("/a", { method: "POST", body: "words" })).toEqual({ status: 200, body: "POST /a words" });
  expect(await ask("/moved")).toMatchObject({ status: 302 });
  expect(await ask("/a", { maxBytes: 0 })).toEqual({ status: 200, body: "" });
});

test("a request ends at a longer answer than it takes, at a broken one, at its time limit and with its caller", async () => {
  await expect(ask("/a", { maxBytes: 3 })).rejects.toThrow("the answer is too long");
  await expect(ask("/broken")).rejects.toThrow("aborted");
  await expect(ask("/silent", { timeoutMs: 20 })).rejects.toThrow(/timeout|aborted/);
  await expect(ask("/a", { ending: AbortSignal.abort(new Error("left")) })).rejects.toThrow(/left|aborted/);
});

test.each([
  "http://example.com/",
  "https://user@example.com/",
  "https://:word@example.com/",
  "https://localhost/",
  "https://127.0.0.1/",
  "https://[::1]/",
  "https://10.0.0.1/",
])("%s is never asked", async (address) => {
  const url = new URL(address);
  expect(() => checkAddress(url, false)).toThrow(PrivateAddress);
  const options = { method: "GET", headers: {}, timeoutMs: 100, loopback: false, maxBytes: 1 } as const;
  await expect(requestPublic(url, options)).rejects.toThrow(PrivateAddress);
});

test("a public address of TLS may be asked, and this machine in tests alone", () => {
  expect(() => checkAddress(new URL("https://example.com/"), false)).not.toThrow();
  expect(() => checkAddress(new URL("http://[::1]:3000/"), true)).not.toThrow();
  expect(() => checkAddress(new URL("http://10.0.0.1/"), true)).toThrow(PrivateAddress);
});

describe("through a proxy", () => {
  let socks: ProxyServer;
  beforeAll(async () => {
    socks = await startSocks5();
  });
  beforeEach(() => {
    socks.mood = "well";
    socks.targets.length = 0;
  });
  afterAll(() => socks.close());
  const by = (more: Partial<ProxySettings> = {}): ProxySettings => ({
    address: { kind: "socks5", host: "127.0.0.1", port: socks.port, user: null, password: null },
    mayBePrivate: true,
    ...more,
  });

  test("a request has its answer, is sent on nowhere, and ends at its limits", async () => {
    const proxy = by();
    expect(await ask("/a", { proxy, method: "POST", body: "words" })).toEqual({ status: 200, body: "POST /a words" });
    expect(await ask("/moved", { proxy })).toMatchObject({ status: 302 });
    const { host } = new URL(web.root);
    expect(socks.targets).toEqual([host, host]);
    await expect(ask("/a", { proxy, maxBytes: 3 })).rejects.toThrow("the answer is too long");
    await expect(ask("/silent", { proxy, timeoutMs: 50 })).rejects.toThrow(/timeout|aborted/);
    await expect(ask("/a", { proxy, ending: AbortSignal.abort(new Error("left")) })).rejects.toThrow("left");
  });

  test("a silent proxy is to blame when the time of the request ends, and so is one that nobody may name", async () => {
    socks.mood = "silent";
    await expect(ask("/a", { proxy: by(), timeoutMs: 50 })).rejects.toMatchObject({ problem: "silent" });
    await expect(ask("/a", { proxy: by({ mayBePrivate: false }) })).rejects.toMatchObject({ problem: "private" });
  });

  test.each(["https://10.0.0.1/", "https://169.254.169.254/", "https://nas.local/", "https://localhost/"])(
    "%s is never asked, nor is the proxy",
    async (address) => {
      const options = { method: "GET", headers: {}, timeoutMs: 1000, loopback: false, maxBytes: 1 } as const;
      await expect(requestPublic(new URL(address), { ...options, proxy: by() })).rejects.toThrow(PrivateAddress);
      expect(socks.targets).toEqual([]);
    },
  );

  test("a proxy in a private network is asked for no name, only for the address that was checked", async () => {
    const options = { method: "GET", headers: {}, timeoutMs: 5000, loopback: false, maxBytes: 1 } as const;
    const url = new URL("https://no-such-name.example.com/");
    await expect(requestPublic(url, { ...options, proxy: by() })).rejects.toThrow();
    expect(socks.targets).toEqual([]);
  });

  test("the certificate of the target is verified before anything is sent", async () => {
    let asked = 0;
    const server = createServer(await certificateFor("other.test"), (_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const secure = ask(`https://127.0.0.1:${port}/`, { proxy: by() });
    await expect(secure).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect([socks.targets.length, asked]).toEqual([1, 0]);
  });
});
