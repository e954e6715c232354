import { afterAll, beforeAll, expect, test } from "vitest";
import { type Provider, startProvider } from "#server/test/servers/provider-server.ts";
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
