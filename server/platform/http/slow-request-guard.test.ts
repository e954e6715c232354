/** Slow clients are disconnected in time, while a legitimate upload over a slow line completes. */
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import multipart from "@fastify/multipart";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open } from "#server/test/http/slow-clients.ts";
import { guardAgainstSlowRequests } from "./slow-request-guard.ts";

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
        // The server is busy and does not read: the client waits for the server, so it is not slow.
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
