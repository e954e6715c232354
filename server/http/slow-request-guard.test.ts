/** Clients that hold connections by being slow: cut in time, while an honest upload over a slow line comes through. */
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import multipart from "@fastify/multipart";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { guardAgainstSlowRequests } from "./slow-request-guard.ts";

/** The limits are 12 and 15 seconds; a busy machine notices them later. */
const LONGEST_MS = 35_000;

function open(app: FastifyInstance): { socket: Socket; ended: Promise<{ ms: number; said: string }> } {
  const since = Date.now();
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  let said = "";
  socket.on("data", (chunk) => {
    said += chunk;
  });
  socket.on("error", () => {});
  const ended = new Promise<{ ms: number; said: string }>((resolve) =>
    socket.once("close", () => resolve({ ms: Date.now() - since, said })),
  );
  return { socket, ended };
}

// Twenty seconds of sockets that reach no database: once is enough.
describe.skipIf("url" in inject("databaseSnapshot"))("the server as it runs", () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp();
    await t.app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => t.close());

  test("slow headers, slow bodies and silent clients are disconnected, and the server answers in the meantime", async () => {
    const head = (length: number, path = "/api/auth/email/login") =>
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    const kinds: Record<string, { start: string; drip: string }> = {
      silence: { start: "", drip: "" },
      "a header a second": { start: "GET / HTTP/1.1\r\n", drip: "x: y\r\n" },
      "half a request line": { start: "GET /api", drip: "x" },
      "a body a byte a second": { start: head(1000), drip: " " },
      "a body that never comes": { start: head(1000), drip: "" },
      "chunks a byte a second": {
        start: head(0).replace("content-length: 0", "transfer-encoding: chunked"),
        drip: "1\r\n \r\n",
      },
      "a body nobody asked for": { start: head(1000, "/api/nothing"), drip: " " },
      "a form a byte a second": {
        start: head(100_000, "/api/imports").replace("application/json", "multipart/form-data; boundary=x"),
        drip: "-",
      },
    };
    const attacks = Object.entries(kinds).flatMap(([name, kind]) =>
      Array.from({ length: 10 }, () => ({ name, ...kind })),
    );
    const results = attacks.map(async ({ name, start, drip }) => {
      const { socket, ended } = open(t.app);
      socket.write(start);
      const timer = drip === "" ? undefined : setInterval(() => socket.writable && socket.write(drip), 1000);
      const result = await Promise.race([ended, wait(LONGEST_MS, null)]);
      clearInterval(timer);
      socket.destroy();
      return { name, result };
    });
    await wait(2000);
    const address = t.app.server.address() as AddressInfo;
    // Before the first of them is cut, or it would show nothing.
    const signal = AbortSignal.timeout(8_000);
    expect((await fetch(`http://127.0.0.1:${address.port}/api/config`, { signal })).status).toBe(200);
    for (const { name, result } of await Promise.all(results)) {
      expect(result, `${name} was never cut`).not.toBeNull();
      expect(result!.said, name).not.toMatch(/^HTTP\/1\.1 [25]/);
    }
  });
});

describe("with shortened limits", () => {
  let app: FastifyInstance;
  let received: number;
  beforeAll(async () => {
    app = Fastify();
    guardAgainstSlowRequests(app, { wholeMs: 300, uploadMs: 300, uploadBytes: 1000 });
    await app.register(multipart, { limits: { fileSize: 10_000_000 } });
    app.post("/upload", async (request) => {
      received = 0;
      for await (const part of request.parts()) {
        if (part.type !== "file") continue;
        for await (const chunk of part.file) received += (chunk as Buffer).length;
        // A reader that is busy for long: the sender waits for us, not we for him.
        await wait(1000);
      }
      return { received };
    });
    app.post("/json", async (request) => request.body);
    await app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(() => app.close());

  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';

  test("a slow upload that keeps sending succeeds, however long it takes", async () => {
    const { socket, ended } = open(app);
    const total = part.length + 20 * 2000 + "\r\n--x--\r\n".length;
    socket.write(
      `POST /upload HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${total}\r\n\r\n${part}`,
    );
    for (let piece = 0; piece < 20; piece++) {
      await wait(100);
      socket.write("a".repeat(2000));
    }
    socket.write("\r\n--x--\r\n");
    const { ms, said } = await ended;
    expect(said).toMatch(/^HTTP\/1\.1 200 /);
    expect(said).toContain('{"received":40000}');
    expect(ms).toBeGreaterThan(2000);
  });

  test("a stalled upload gets 408 and is disconnected", async () => {
    const { socket, ended } = open(app);
    socket.write(
      `POST /upload HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n${part}`,
    );
    const { ms, said } = await ended;
    expect(said).toMatch(/^HTTP\/1\.1 408 /);
    expect(ms).toBeLessThan(2000);
  });

  test("an upload of several files is not disconnected while the server reads the first one", async () => {
    const { socket, ended } = open(app);
    const body = `${part}${"a".repeat(200_000)}\r\n${part}${"b".repeat(2_000_000)}\r\n--x--\r\n`;
    socket.write(
      `POST /upload HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const { said } = await ended;
    expect(said).toContain(`{"received":2200000}`);
  });

  test("after a fast body the connection can be reused", async () => {
    const { socket } = open(app);
    for (let round = 0; round < 3; round++) {
      socket.write(
        "POST /json HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
      );
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
      await wait(400);
      expect(socket.destroyed).toBe(false);
    }
    socket.destroy();
  });
});
