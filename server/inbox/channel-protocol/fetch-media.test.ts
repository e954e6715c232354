import { afterAll, beforeAll, expect, test } from "vitest";
import { type Provider, startProvider } from "#server/test/servers/provider-server.ts";
import { watchedSocket } from "#server/test/servers/watched-socket.ts";
import { fetchOriginal, MediaUnavailable } from "./fetch-media.ts";

let platform: Provider;
let elsewhere: Awaited<ReturnType<typeof watchedSocket>>;
beforeAll(async () => {
  elsewhere = await watchedSocket();
  platform = await startProvider(({ path }, response) => {
    if (path === "/away") return void response.writeHead(302, { location: elsewhere.baseUrl }).end();
    if (path === "/busy") return void response.writeHead(503).end();
    if (path === "/gone") return void response.writeHead(404).end();
    if (path === "/slow") return;
    if (path === "/lies") {
      response.writeHead(200, { "transfer-encoding": "chunked" });
      for (let part = 0; part < 20; part++) response.write(Buffer.alloc(1000));
      return void response.end();
    }
    response.writeHead(200).end(Buffer.alloc(500));
  });
});
afterAll(async () => {
  await platform.close();
  elsewhere.server.close();
});

const limits = (ms = 5_000) => ({ signal: AbortSignal.timeout(ms), maxBytes: 1000 });
const fetchOf = (path: string, ms?: number) =>
  fetchOriginal({ url: `${platform.root}${path}`, hosts: [], apiUrl: platform.root }, limits(ms));

test("an original is fetched whole, and never more than is kept of one", async () => {
  expect(await fetchOf("/file")).toHaveLength(500);
  await expect(fetchOf("/lies")).rejects.toBeInstanceOf(MediaUnavailable);
});

test("nothing is fetched from elsewhere than the platform's hosts, nor further than the first answer", async () => {
  await expect(fetchOf("/away")).rejects.toThrow();
  const from = (url: string) => fetchOriginal({ url, hosts: ["files.example"], apiUrl: platform.root }, limits());
  for (const url of [
    elsewhere.baseUrl,
    "https://files.example.evil.test/a",
    "https://evil.test/files.example",
    "http://files.example/a",
    "https://files.example:8443/a",
    "https://user:key@files.example/a",
    "file:///etc/passwd",
    "not an address",
  ])
    await expect(from(url), url).rejects.toBeInstanceOf(MediaUnavailable);
  expect(elsewhere.connections()).toBe(0);
});

test("what is gone is lost, and what may pass is for another try", async () => {
  await expect(fetchOf("/gone")).rejects.toBeInstanceOf(MediaUnavailable);
  const busy = await fetchOf("/busy").catch((error: unknown) => error);
  expect(busy).toBeInstanceOf(Error);
  expect(busy).not.toBeInstanceOf(MediaUnavailable);
  await expect(fetchOf("/slow", 100)).rejects.not.toBeInstanceOf(MediaUnavailable);
});
