import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "#server/app.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let app: FastifyInstance;
let folder: string;
let root: string;

/** Replaces the build with one of one page and one script. */
async function build(name: string): Promise<void> {
  await rm(join(root, "assets"), { recursive: true, force: true });
  await mkdir(join(root, "assets"), { recursive: true });
  await writeFile(join(root, "index.html"), `<script type="module" src="/assets/${name}.js"></script>`);
  await writeFile(join(root, "assets", `${name}.js`), `export default "${name}"`);
}

beforeAll(async () => {
  t = await testApp();
  folder = await mkdtemp(join(tmpdir(), "dt-web-"));
  root = join(folder, "web");
  await build("first");
  await writeFile(join(root, "robots.txt"), "User-agent: *");
  await writeFile(join(folder, "secret.js"), "not for visitors");
  app = await createApp(t.services, { webRoot: root });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (url: string) => app.inject({ method: "GET", url });

describe("the built web", () => {
  test("is cached by browsers for ever under hashed names and revalidated under others", async () => {
    expect((await get("/assets/first.js")).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    for (const url of ["/", "/twins", "/index.html", "/robots.txt"]) {
      const { statusCode, headers } = await get(url);
      expect([statusCode, headers["cache-control"]], url).toEqual([200, "no-cache"]);
    }
  });

  test("that is rebuilt while the server runs is served completely from then on", async () => {
    await build("second");
    expect((await get("/twins")).body).toContain("/assets/second.js");
    const script = await get("/assets/second.js");
    expect(script.body).toBe('export default "second"');
    expect(script.headers["content-type"]).toContain("javascript");
    // A file of an older build, which an open page may still request, is answered with 404 and not with a page.
    const gone = await get("/assets/first.js");
    expect(gone.statusCode).toBe(404);
    expect(gone.json()).toMatchObject({ code: "not_found" });
    expect(gone.headers["cache-control"]).toBeUndefined();
  });

  test.each([
    "/assets/../../secret.js",
    "/assets/..%2f..%2fsecret.js",
    "/assets/%2e%2e/%2e%2e/secret.js",
    "/assets/..%5c..%5csecret.js",
    "/assets/%252e%252e/secret.js",
    "/assets//etc/passwd",
    "/assets/",
    "/assets",
  ])("has no way out of its folder: %s", async (url) => {
    // `inject` would normalise the path.
    const { port } = app.server.address() as AddressInfo;
    const [answer] = (await once(request({ host: "127.0.0.1", port, path: url }).end(), "response")) as [
      IncomingMessage,
    ];
    expect([400, 403, 404]).toContain(answer.statusCode);
    expect(await text(answer)).not.toMatch(/not for visitors|root:/);
  });
});
