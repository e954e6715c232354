/** The inbox's event stream: who receives what, and what happens to readers who leave, stop reading or sign out. */
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { listen, port, prepareLive, sockets, t, WAIT } from "#server/test/conversations/live-bench.ts";
import { buildContact, buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import type { TestClient } from "#server/test/test-app.ts";
import { LiveStream } from "./live.ts";

prepareLive();

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

test("an act of a contact is sent as a change of an answer when it begins to wait and when it ends, without its words", async () => {
  const ann = await t.signUp();
  const id = await talkOf(ann);
  const hers = await listen(ann);
  const place = await asTenant(t.services.db, ann.caller, async (tx) => {
    const [talk] = await tx.select().from(conversations).where(eq(conversations.id, id));
    const { orgId, twinId } = talk!;
    const { id: contactId } = await buildContact(tx, { orgId, twinId });
    return { orgId, twinId, contactId, conversationId: id };
  });
  const changes = () => hers.text.split(`"kind":"answer","conversationId":"${id}"`).length - 1;
  const act = { ...place, title: "Тайная запись", changes: true, arguments: [] };
  await asTenant(t.services.db, ann.caller, (tx) => tx.insert(acts).values({ ...act, state: "waiting-owner" }));
  await expect.poll(changes, WAIT).toBe(1);
  await asTenant(t.services.db, ann.caller, (tx) => tx.update(acts).set({ state: "done" }));
  await expect.poll(changes, WAIT).toBe(2);
  expect(hers.text).not.toContain("Тайная");
  hers.socket.destroy();
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

  // Repeats the test over a real connection, whose own buffers fill first.
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
