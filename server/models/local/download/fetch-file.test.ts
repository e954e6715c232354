import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type LocalHub, startHub } from "#server/test/models/local-hub.ts";
import { fetchFile, type HubDownload } from "./fetch-file.ts";
import { findHubFile } from "./find-file.ts";
import { HubFailure } from "./hub-failures.ts";
import { hubRequests } from "./hub-requests.ts";

const CONTENT = randomBytes(600_000);
const MODEL = { repo: "owner/model-GGUF", quantisation: "Q4_K_M", bytes: 600_000 };
const calm = new AbortController().signal;

let hub: LocalHub;
let folder: string;
let path: string;
beforeEach(async () => {
  hub = await startHub({
    "owner/model-GGUF/model-Q4_K_M.gguf": CONTENT,
    "owner/model-GGUF/model-Q8_0.gguf": randomBytes(10),
    "owner/model-GGUF/README.md": Buffer.from("# model"),
  });
  folder = await mkdtemp(join(tmpdir(), "dt-hub-"));
  path = join(folder, "part");
});
afterEach(async () => {
  await hub.close();
  await rm(folder, { recursive: true });
});

const requests = (over = {}) => hubRequests({ origin: hub.origin, fileHosts: [], ...over });
const find = () => findHubFile(requests(), MODEL, calm);
const progress: number[] = [];
async function fetch(over: Partial<HubDownload> = {}): Promise<void> {
  progress.length = 0;
  await fetchFile({
    hub: requests(),
    file: await find(),
    path,
    signal: calm,
    onProgress: (received) => progress.push(received),
    leaveFree: async () => undefined,
    ...over,
    times: { waitMs: 5, longestWaitMs: 20, tries: 3, stalledMs: 300, ...over.times },
  });
}
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof HubFailure ? error.problem : String(error)),
  );

test("the file of a quantisation is found with its size and the hub's checksum", async () => {
  expect(await find()).toEqual({
    repo: MODEL.repo,
    revision: expect.stringMatching(/^[0-9a-f]{40}$/),
    path: "model-Q4_K_M.gguf",
    bytes: CONTENT.length,
    sha256: createHash("sha256").update(CONTENT).digest("hex"),
  });
});

test("the file arrives whole, is readable by this user alone, and its progress is reported", async () => {
  await fetch();
  expect((await readFile(path)).equals(CONTENT)).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(progress.at(-1)).toBe(CONTENT.length);
  expect(progress).toEqual([...progress].sort((one, other) => one - other));
});

test("a connection that is cut again and again continues each time after what has arrived", async () => {
  hub.faults.breakAfterBytes = 150_000;
  await fetch();
  expect((await readFile(path)).equals(CONTENT)).toBe(true);
  expect(hub.asked.length).toBeGreaterThan(3);
  expect(hub.asked.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range))).toBe(true);
});

test("what a killed process has downloaded is not fetched again", async () => {
  await writeFile(path, CONTENT.subarray(0, 400_000));
  await fetch();
  expect(hub.asked).toEqual(["bytes=400000-"]);
  expect((await readFile(path)).equals(CONTENT)).toBe(true);
});

test("a hub without range support sends everything again, and nothing is appended twice", async () => {
  hub.faults.ignoresRanges = true;
  await writeFile(path, CONTENT.subarray(0, 400_000));
  await fetch();
  expect((await readFile(path)).equals(CONTENT)).toBe(true);
});

test("a damaged file is fetched once more, and a second one is refused and removed", async () => {
  hub.faults.corruptionsLeft = 1;
  await fetch();
  expect((await readFile(path)).equals(CONTENT)).toBe(true);
  await rm(path);
  hub.faults.corruptionsLeft = 9;
  expect(await problemOf(fetch())).toBe("damaged");
  expect(existsSync(path)).toBe(false);
});

test("a damaged beginning on the disk is fetched again", async () => {
  await writeFile(path, Buffer.alloc(400_000));
  await fetch();
  expect((await readFile(path)).equals(CONTENT)).toBe(true);
});

test("a connection without progress is given up after a few tries", async () => {
  hub.faults.breakAfterBytes = 0;
  expect(await problemOf(fetch())).toBe("line");
  expect(hub.asked).toHaveLength(3);
});

test("a very slow connection is cut, and the download continues after what has arrived", async () => {
  hub.faults.bytesPerSecond = 20_000;
  const stopping = new AbortController();
  const crawling = fetch({
    signal: stopping.signal,
    times: { stalledMs: 100, minBytes: 100_000 },
    onProgress: () => hub.asked.length > 2 && stopping.abort(),
  });
  await expect(crawling).rejects.toThrow("abort");
  expect(hub.asked.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range))).toBe(true);
});

test("more bytes than were announced are not written", async () => {
  hub.faults.tooLong = true;
  expect(await problemOf(fetch())).toBe("changed");
  expect((await stat(path)).size).toBeLessThanOrEqual(CONTENT.length);
});

test.each([
  ["another range than was asked for", "bytes 0-599999/600000", "changed"],
  ["a file of another size", "bytes 400000-699999/700000", "changed"],
  ["nothing that is a range", "all of it", "odd"],
])("a hub that sends %s is not believed, and what has arrived stays as it is", async (_, rangeTold, problem) => {
  hub.faults.contentRange = rangeTold;
  await writeFile(path, CONTENT.subarray(0, 400_000));
  expect(await problemOf(fetch())).toBe(problem);
  expect((await readFile(path)).equals(CONTENT.subarray(0, 400_000))).toBe(true);
});

test.skipIf(!existsSync("/dev/full"))("a disk that fills up within a file is reported as such", async () => {
  // Writing to this device fails as on a full disk.
  await symlink("/dev/full", path);
  expect(await problemOf(fetch())).toBe("no-space");
  expect(hub.asked).toHaveLength(1);
});

test("a full disk is reported before anything is fetched", async () => {
  const full = async () => {
    throw Object.assign(new Error("full"), { code: "ENOSPC" });
  };
  const refused = fetch({ leaveFree: full });
  await expect(refused).rejects.toMatchObject({ code: "ENOSPC" });
  expect(hub.asked).toEqual([]);
});

test("stopping a download keeps what has arrived", async () => {
  hub.faults.bytesPerSecond = 1_000_000;
  const stopping = new AbortController();
  const reason = new Error("paused");
  const fetching = fetch({
    signal: stopping.signal,
    onProgress: (received) => received > 100_000 && stopping.abort(reason),
  });
  await expect(fetching).rejects.toBe(reason);
  expect((await stat(path)).size).toBeGreaterThan(100_000);
});

test("redirects are followed only to the hub and the hosts that the settings allow", async () => {
  const elsewhere = await startHub({ "owner/model-GGUF/model-Q4_K_M.gguf": CONTENT });
  try {
    const { port } = new URL(elsewhere.origin);
    const [repo, file] = ["owner/model-GGUF", "model-Q4_K_M.gguf"];
    hub.faults.redirectTo = `${elsewhere.origin}/bytes/${repo}/${file}`;
    expect(await problemOf(fetch())).toBe("elsewhere");
    for (const address of ["file:///etc/passwd", "http://169.254.169.254/latest", "http://u:p@127.0.0.1/x", "//"]) {
      hub.faults.redirectTo = address;
      expect(["elsewhere", "odd"], address).toContain(await problemOf(fetch()));
    }
    expect(elsewhere.requests).toEqual([]);
    hub.faults.redirectTo = `${elsewhere.origin}/bytes/${repo}/${file}`;
    await fetch({ hub: requests({ fileHosts: [`127.0.0.1:${port}`] }) });
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
  } finally {
    await elsewhere.close();
  }
});

test("an unexpected answer of the hub is reported by its kind", async () => {
  hub.faults = { listIsHtml: true };
  expect(await problemOf(find())).toBe("odd");
  hub.faults = { noChecksum: true };
  expect(await problemOf(find())).toBe("no-checksum");
  for (const [status, problem] of Object.entries({
    404: "not-found",
    403: "refused",
    429: "refused",
    503: "unreachable",
  })) {
    hub.faults = { status: Number(status) };
    expect(await problemOf(find())).toBe(problem);
  }
  hub.faults = {};
  expect(await problemOf(findHubFile(requests(), { ...MODEL, bytes: 1000 }, calm))).toBe("too-big");
  expect(await problemOf(findHubFile(requests(), { ...MODEL, quantisation: "Q2_K" }, calm))).toBe("not-found");
  const nobody = hubRequests({ origin: "http://127.0.0.1:9", fileHosts: [] });
  expect(await problemOf(findHubFile(nobody, MODEL, calm))).toBe("unreachable");
});

const proxied: string[] = [];
const proxy = createServer((request, response) => {
  proxied.push(String(request.url));
  response.end("{}");
});
afterAll(() => proxy.close());

test("the proxy of HTTP_PROXY is used", async () => {
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  vi.stubEnv("HTTP_PROXY", address);
  onTestFinished(() => void vi.unstubAllEnvs());
  const through = hubRequests({ origin: "http://hub.example", fileHosts: [] });
  expect(await problemOf(findHubFile(through, MODEL, calm))).toBe("odd");
  expect(proxied).toEqual(["http://hub.example/api/models/owner/model-GGUF"]);
});
