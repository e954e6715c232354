/** The inbox's event stream: who receives what, and what happens to readers who leave, stop reading or sign out. */
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { eq, sql } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "#server/app.ts";
import { asTenant } from "#server/db/database.ts";
import { conversations } from "#server/db/schema.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { type Live, LiveStream, openLive } from "./live.ts";

let t: TestApp;
let app: FastifyInstance;
let port: number;
let live: Live;
const sockets = new Set<Socket>();
const faults: string[] = [];
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

const WAIT = { timeout: 10_000, interval: 20 };

/** Listens and collects what is sent; the socket can be closed or left unread. */
async function listen({ token }: TestClient, { reads = true } = {}) {
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

async function talkOf(client: TestClient, member: string | null = null): Promise<string> {
  const place = { orgId: client.caller.organizationId, twinId: await buildTwin(client) };
  const tried = { userId: member, platform: "test", externalId: null, participantName: "Секрет Секретов" };
  return asTenant(t.services.db, client.caller, async (tx) => (await buildConversation(tx, place, tried)).id);
}
const touch = ({ caller }: TestClient, id: string) =>
  asTenant(t.services.db, caller, (tx) =>
    tx.update(conversations).set({ lastMessage: "Тайна" }).where(eq(conversations.id, id)),
  );

test("a change is sent to the organisation alone, one of a test chat to its member alone, and no texts are sent", async () => {
  const ann = await t.signUp();
  const { organizationId } = ann.caller;
  const [colleague, stranger] = [await t.signUp({ role: "user", organizationId }), await t.signUp()];
  const [shared, own] = [await talkOf(ann), await talkOf(ann, ann.caller.userId)];
  const [hers, his, other] = [await listen(ann), await listen(colleague), await listen(stranger)];
  await touch(ann, shared);
  await touch(ann, own);
  const change = (id: string) => `event: change\ndata: {"kind":"conversation","conversationId":"${id}"}\n\n`;
  await expect.poll(() => hers.text, WAIT).toContain(change(own));
  expect(hers.text).toContain(change(shared));
  await expect.poll(() => his.text, WAIT).toContain(change(shared));
  // Events are sent in order, so a later ping proves that no other change was to come.
  const pings = (text: string) => text.split("event: ping").length;
  for (const one of [his, other]) {
    const before = pings(one.text);
    await expect.poll(() => pings(one.text), WAIT).toBeGreaterThan(before);
  }
  expect(his.text).not.toContain(own);
  expect(other.text).not.toContain("change");
  expect(hers.text + his.text + other.text).not.toMatch(/Тайна|Секрет/);
  for (const { socket } of [hers, his, other]) socket.destroy();
});

test("two seconds after 500 readers have gone nothing of them is left", async () => {
  const ann = await t.signUp();
  const [connections, streams] = [sockets.size, live.streams];
  const people = await Promise.all(Array.from({ length: 20 }, () => t.signUp()));
  const readers = await Promise.all(
    people.flatMap((one) => Array.from({ length: 25 }, () => listen(one, { reads: false }))),
  );
  await expect.poll(() => live.streams, { timeout: 30_000, interval: 20 }).toBe(streams + 500);
  for (const { socket } of readers) socket.resetAndDestroy();
  await expect.poll(() => live.streams, { timeout: 2000, interval: 20 }).toBe(streams);
  await expect.poll(() => sockets.size, WAIT).toBeLessThanOrEqual(connections);
  const { socket } = await listen(ann);
  socket.destroy();
  // To leave is no failure of the server: nothing is logged as one.
  expect(faults).toEqual([]);
});

test("a reader who stops reading is disconnected after 30 s or 256 KB", async () => {
  const limits = { stalledBytes: 256 * 1024, stalledMs: 30_000, pingMs: 15_000 };
  const slow = new LiveStream("anna", { ...limits, stalledMs: 1 });
  slow.say("ready", {});
  await expect
    .poll(() => {
      slow.pulse();
      return slow.destroyed;
    }, WAIT)
    .toBe(true);
  const full = new LiveStream("anna", limits);
  let said = 0;
  for (; !full.destroyed; said++) full.say("change", { number: said + 100_000 });
  expect(said * '{"number":100000}'.length).toBeGreaterThan(96 * 1024);
  expect(said * 60).toBeLessThan(512 * 1024);
  const reading = new LiveStream("anna", limits);
  for (let round = 0; round < 2 * said; round++) {
    reading.say("change", { number: round });
    reading.read();
    reading.pulse();
  }
  expect(reading.destroyed).toBe(false);

  // The same over a real connection, whose own buffers fill first.
  const ann = await t.signUp();
  const talk = await talkOf(ann);
  const asleep = await listen(ann, { reads: false });
  const served = [...sockets].find(({ remotePort }) => remotePort === asleep.socket.localPort);
  for (let round = 0; round < 200 && served?.destroyed === false; round++) {
    await t.services.db.execute(
      sql`select pg_notify('inbox', concat_ws(',', ${ann.caller.organizationId}::text, '', 'note', ${talk}::text || repeat(' ', n % 7000 + 1)))
        from generate_series(1, 500) n`,
    );
  }
  expect(served?.destroyed).toBe(true);
  asleep.socket.destroy();
});

test("a stream ends with its session and says why", async () => {
  const ann = await t.signUp();
  const heard = await listen(ann);
  await ann.post("/api/auth/logout");
  await expect.poll(() => heard.text, WAIT).toMatch(/event: error\ndata: .*"code":"unauthorized"/);
  expect((await fetch(`http://127.0.0.1:${port}/api/events`)).status).toBe(401);
});
