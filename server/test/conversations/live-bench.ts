/** Streams of changes to conversations. */
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect } from "vitest";
import { createApp } from "#server/app.ts";
import { type Live, openLive } from "#server/inbox/conversations/live.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let t: TestApp;
let app: FastifyInstance;
export let port: number;
export let live: Live;
export const sockets = new Set<Socket>();
export const faults: string[] = [];

export const WAIT = { timeout: 10_000, interval: 20 };

/** Listens and collects what is sent; the socket can be closed or left unread. */
export async function listen({ token }: TestClient, { reads = true } = {}) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  const heard = { text: "", socket, open: true };
  socket.once("close", () => {
    heard.open = false;
  });
  socket.write(`GET /api/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`);
  if (reads) socket.on("data", (data) => (heard.text += data));
  else socket.pause();
  if (reads) await expect.poll(() => heard.text, WAIT).toContain("event: ready");
  return heard;
}

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareLive(): void {
  beforeAll(async () => {
    t = await testApp();
    live = await openLive(t.services.database, t.services.log, { pingMs: 300 });
    app = await createApp(t.services, { live, streams: { checkMs: 100, graceMs: 300 } });
    app.addHook("onError", async (_request, _reply, error) => void faults.push(error.message));
    app.server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    await app.listen({ host: "127.0.0.1", port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await app.close();
    await t.close();
  });
}
