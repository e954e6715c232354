import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "#server/app.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let t: TestApp;
let app: FastifyInstance;
let root: string;
beforeAll(async () => {
  t = await testApp({ publicUrl: "https://twins.example" });
  root = join(await mkdtemp(join(tmpdir(), "dt-language-")), "web");
  await mkdir(join(root, "en"), { recursive: true });
  await mkdir(join(root, "assets"));
  for (const [name, page] of [
    ["index.html", "Приложение"],
    ["landing.html", "Главная https://origin.invalid"],
    ["en/index.html", "The application"],
    ["en/landing.html", "The landing page https://origin.invalid"],
  ] as const) {
    await writeFile(join(root, name), page);
  }
  app = await createApp(t.services, { webRoot: root });
});
afterAll(async () => {
  await app.close();
  await t.close();
  await rm(join(root, ".."), { recursive: true, force: true });
});

const get = (url: string, cookie = "", headers: Record<string, string> = {}) =>
  app.inject({ method: "GET", url, headers: { ...headers, ...(cookie !== "" && { cookie }) } });

test("the cookie of the switcher chooses the language of every page", async () => {
  expect((await get("/twins", "language=en")).body).toBe("The application");
  expect((await get("/", "language=en; session=x")).body).toBe("The application");
  expect((await get("/landing", "language=en")).body).toBe("The landing page https://twins.example");
  expect((await get("/", "language=en")).body).toBe("The landing page https://twins.example");
  for (const cookie of ["", "language=ru", "language=de", "language=../en", "language="]) {
    expect((await get("/twins", cookie)).body, cookie).toBe("Приложение");
    expect((await get("/landing", cookie)).body, cookie).toBe("Главная https://twins.example");
  }
});

test("a browser's own language chooses no page: the specified Russian strings stay until a user has chosen", async () => {
  expect((await get("/twins", "", { "accept-language": "en-US" })).body).toBe("Приложение");
});

test("no cache shows one reader's language to another, and every look asks whether the page has changed", async () => {
  for (const [url, cookie] of [
    ["/twins", "language=en"],
    ["/twins", ""],
    ["/landing", "language=en"],
    ["/", ""],
  ] as const) {
    const { headers } = await get(url, cookie);
    expect([headers["cache-control"], headers.vary], url).toEqual(["no-cache", expect.stringContaining("cookie")]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  }
});

test("the pages of a language have no address of their own", async () => {
  expect((await get("/en/index.html")).body).toBe("Приложение");
});

test("a build without the language shows the Russian page", async () => {
  await rm(join(root, "en"), { recursive: true });
  expect((await get("/twins", "language=en")).body).toBe("Приложение");
  expect((await get("/landing", "language=en")).body).toBe("Главная https://twins.example");
});
