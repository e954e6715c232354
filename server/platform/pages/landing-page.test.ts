import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "#server/app.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const DRAWN = '<link rel="canonical" href="https://origin.invalid/landing"><h1>Двойники</h1>';
const HERE = DRAWN.replace("https://origin.invalid", "https://twins.example");

let t: TestApp;
let app: FastifyInstance;
let root: string;
beforeAll(async () => {
  t = await testApp({ publicUrl: "https://twins.example" });
  root = join(await mkdtemp(join(tmpdir(), "dt-landing-")), "web");
  await mkdir(join(root, "assets"), { recursive: true });
  await writeFile(join(root, "index.html"), "the application");
  await writeFile(join(root, "landing.html"), DRAWN);
  app = await createApp(t.services, { webRoot: root });
});
afterAll(async () => {
  await app.close();
  await t.close();
  await rm(join(root, ".."), { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: "GET", url, headers });

test("visitors get the prerendered landing page at both its URLs, with this installation's origin in it", async () => {
  for (const url of ["/landing", "/landing/", "/landing?utm_source=x", "/"]) {
    const { statusCode, body, headers } = await get(url);
    expect([statusCode, body, headers["cache-control"]], url).toEqual([200, HERE, "no-cache"]);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  }
  expect((await app.inject({ method: "HEAD", url: "/landing" })).statusCode).toBe(200);
});

test("at / a session cookie selects the application, and the Vary header says so", async () => {
  for (const name of ["session", "__Host-session"]) {
    expect((await get("/", { cookie: `${name}=x` })).body).toBe("the application");
    expect((await get("/landing", { cookie: `${name}=x` })).body).toBe(HERE);
  }
  for (const headers of [undefined, { cookie: "session=x" }]) {
    expect((await get("/", headers)).headers.vary).toMatch(/cookie/);
  }
});

test("the page is compressed as the browser accepts it and answered with 304 when unchanged", async () => {
  const br = await get("/landing", { "accept-encoding": "gzip, deflate, br" });
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(HERE);
  const gzip = await get("/landing", { "accept-encoding": "gzip, br;q=0" });
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(HERE);
  expect(gzip.headers.vary).toContain("accept-encoding");
  expect(br.headers.etag).not.toBe(gzip.headers.etag);
  const again = await get("/landing", { "accept-encoding": "br", "if-none-match": String(br.headers.etag) });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});

test("the file written by the build cannot be requested directly", async () => {
  expect((await get("/landing.html")).body).toBe("the application");
});

test("a page that is drawn anew under a running server is served from then on; without one the application is", async () => {
  await writeFile(join(root, "landing.html"), "<h1>Новая</h1>");
  expect((await get("/landing")).body).toBe("<h1>Новая</h1>");
  await rm(join(root, "landing.html"));
  for (const url of ["/landing", "/"]) expect((await get(url)).body).toBe("the application");
});
