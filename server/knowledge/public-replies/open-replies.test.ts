/** Recurring replies are published automatically and withdrawn with their witnesses; the owner can publish and withdraw others. */
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenReplies, OpenReply } from "#contract/knowledge/open-replies.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { forgetContact } from "#server/knowledge/forgetting/forget-contact.ts";
import { searchTwin } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { openReplies } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { openRepliesLostWithout } from "./derived-replies.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // The tests run the jobs themselves.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

const calm = new AbortController().signal;

interface Owner {
  client: TestClient;
  twinId: string;
  /** Stores alternating questions and answers, continuing the earlier conversation with the same person. */
  talk(name: string, ...lines: string[]): Promise<void>;
  train(): Promise<void>;
  run<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  list(search?: string): Promise<OpenReplies>;
  found(audience: Audience, query: string): Promise<string[]>;
}

async function owner(): Promise<Owner> {
  const client = await t.signUp();
  const twinId = await buildTwin(client, { communicationStyle: "Коротко и на вы" });
  const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, client.caller, work);
  return {
    client,
    twinId,
    run,
    async talk(name, ...lines) {
      const said = { platform: "telegram", participants: [name], digitalTwinId: twinId };
      const messages = lines.map((content, at) => ({
        content,
        role: at % 2 === 0 ? "user" : "assistant",
        timestamp: new Date(Date.UTC(2026, 0, 1, name.length, at)).toISOString(),
      }));
      const answer = await client.post("/api/conversations/upload", { ...said, messages });
      expect(answer.statusCode, answer.body).toBe(201);
    },
    train: () => trainTwin(t.services, { ...client.caller, twinId }, calm),
    list: async (search) =>
      (
        await client.get(`/api/digital-twins/${twinId}/open-replies${search ? `?q=${encodeURIComponent(search)}` : ""}`)
      ).json(),
    async found(audience, query) {
      const about = { twinId, audience, query, kinds: ["example", "open"] as const, limit: 5 };
      return (await run((tx) => searchTwin(tx, about))).map(({ reply }) => reply);
    },
  };
}

const STRANGER = { kind: "stranger" } as const;
const ASKED = "Во сколько вы открываетесь?";
const HOURS = "Мы открыты с десяти утра каждый день";

test("what three people were told is open to all, and closes as soon as one of them is forgotten", async () => {
  const ann = await owner();
  await ann.talk("Олег", ASKED, HOURS);
  await ann.talk("Мария", "Во сколько открываетесь, подскажите", `${HOURS}!`);
  // The same person under the same name on another platform.
  await ann.run((tx) =>
    tx.execute(sql`insert into contacts (org_id, twin_id, platform, external_id, name)
      select org_id, twin_id, 'vk', 'oleg', name from contacts where name = 'Олег' and twin_id = ${ann.twinId}`),
  );
  await ann.run((tx) =>
    tx.execute(sql`insert into reply_examples (org_id, twin_id, chat_id, contact_id, incoming, reply, reply_message_id, replied_at)
      select e.org_id, e.twin_id, e.chat_id, c.id, e.incoming, e.reply,
        (select m.id from messages m where m.twin_id = e.twin_id and not m.from_owner limit 1), now()
      from reply_examples e, contacts c where e.twin_id = ${ann.twinId} and c.external_id = 'oleg' and c.twin_id = e.twin_id limit 1`),
  );
  await ann.train();
  expect(await ann.found(STRANGER, ASKED)).toEqual([]);
  expect(await ann.list()).toMatchObject({
    counts: { replies: 3, opened: 0, recurring: 0, private: 3, proposals: 1 },
    proposals: [{ reason: "said", people: 2 }],
  });

  await ann.talk("Светлана", "а во сколько вы открываетесь", "мы открыты каждый день с десяти утра)");
  await ann.train();
  const published = await ann.list();
  // Every reply is either published or one of those that only their own contacts get.
  expect(published.found).toHaveLength(published.counts.private);
  expect(published.found.map(({ contactName }) => contactName)).not.toContain("Светлана");
  expect(published).toMatchObject({
    counts: { recurring: 1, proposals: 0 },
    replies: [{ origin: "recurring", people: 3, question: "во сколько открываетесь" }],
  });
  const [open] = await ann.found(STRANGER, ASKED);
  expect(open).toMatch(/открыты/);

  const [gone] = await ann.run((tx) => tx.select().from(contacts).where(eq(contacts.name, "Светлана")));
  await ann.run(async (tx) => {
    await tx.select().from(twins).where(eq(twins.id, ann.twinId)).for("update");
    await forgetContact(tx, t.services.jobs, { ...ann.client.caller, sessionId: "" }, gone!.id);
    // The reply is withdrawn within the transaction, before any job.
    expect(await tx.select().from(openReplies).where(eq(openReplies.twinId, ann.twinId))).toEqual([]);
  });
  expect(await ann.found(STRANGER, ASKED)).toEqual([]);
  await ann.train();
  expect(await ann.found(STRANGER, ASKED)).toEqual([]);
});

test("a recurring reply that its owner has closed stays closed after a new training until he opens it", async () => {
  const ann = await owner();
  for (const name of ["Олег", "Мария", "Светлана"]) await ann.talk(name, ASKED, HOURS);
  await ann.train();
  const [recurring] = (await ann.list()).replies as [OpenReply];
  const put = (open: boolean) =>
    ann.client.put(`/api/digital-twins/${ann.twinId}/open-replies/${recurring.id}`, { open });
  expect((await put(false)).json()).toMatchObject({ state: "closed" });
  expect(await ann.found(STRANGER, ASKED)).toEqual([]);
  await ann.talk("Дмитрий Иванович", ASKED, HOURS);
  await ann.train();
  expect(await ann.found(STRANGER, ASKED)).toEqual([]);
  expect(await ann.list()).toMatchObject({ counts: { recurring: 0, closed: 1 } });
  expect((await put(true)).json()).toMatchObject({ state: "open" });
  expect(await ann.found(STRANGER, ASKED)).toEqual([HOURS]);
});

test("the owner opens a reply in the words he wants, closes it and reverses either; other members cannot see or decide", async () => {
  const ann = await owner();
  await ann.talk("Олег", "Есть ли парковка у клиники, а то муж хромает?", "Есть, во дворе, мужу привет");
  await ann.train();
  const base = `/api/digital-twins/${ann.twinId}`;
  const parking = "Где можно поставить машину, есть ли парковка?";
  const [pair] = (await ann.list("парковка")).found;
  expect(pair).toMatchObject({ contactName: "Олег", reply: "Есть, во дворе, мужу привет" });
  expect(await ann.found(STRANGER, parking)).toEqual([]);
  const input = { pairId: pair!.id, question: "Есть ли парковка?", reply: "Есть, во дворе" };
  const opened = (await ann.client.post(`${base}/open-replies`, input)).json<OpenReply>();
  expect(opened).toMatchObject({ origin: "opened", state: "open" });
  expect(await ann.found(STRANGER, parking)).toEqual(["Есть, во дворе"]);
  expect((await ann.client.post(`${base}/open-replies`, input)).statusCode).toBe(409);
  expect((await ann.list("парковка")).found).toEqual([]);
  const foreign = await owner();
  const elsewhere = await foreign.client.post(`/api/digital-twins/${foreign.twinId}/open-replies`, input);
  expect(elsewhere.statusCode).toBe(404);
  const human = await ann.client.post(`${base}/open-replies`, { ...input, reply: "Я живой человек" });
  expect(human.statusCode).toBe(422);

  await ann.client.put(`${base}/open-replies/${opened.id}`, { open: false });
  expect(await ann.found(STRANGER, parking)).toEqual([]);
  await ann.client.put(`${base}/open-replies/${opened.id}`, { open: true });
  expect(await ann.found(STRANGER, parking)).toEqual(["Есть, во дворе"]);
  // A colleague of any role sees the twin, but none of its replies.
  const { organizationId } = ann.client.caller;
  const colleague = await t.signUp({ role: "org_admin", organizationId });
  expect((await colleague.get(`${base}/open-replies`)).statusCode).toBe(404);
  expect((await colleague.delete(`${base}/open-replies/${opened.id}`)).statusCode).toBe(404);

  expect((await ann.client.delete(`${base}/open-replies/${opened.id}`)).statusCode).toBe(204);
  expect(await ann.found(STRANGER, parking)).toEqual([]);
  expect((await ann.list("парковка")).found).toHaveLength(1);
});

test("an opened reply is removed with the contact to whom it was said", async () => {
  const ann = await owner();
  await ann.talk("Олег", "Где вы находитесь?", "Напротив вокзала");
  await ann.train();
  const [pair] = (await ann.list("находитесь")).found;
  const input = { pairId: pair!.id, question: "Где вы находитесь?", reply: "Напротив вокзала" };
  await ann.client.post(`/api/digital-twins/${ann.twinId}/open-replies`, input);
  await ann.run((tx) => tx.delete(contacts).where(eq(contacts.twinId, ann.twinId)));
  expect(await ann.found(STRANGER, "Где вы находитесь?")).toEqual([]);
});

test("what tells more is proposed before what only ends a talk", async () => {
  const ann = await owner();
  for (const name of ["Олег", "Мария"]) await ann.talk(name, "Чудесно, тогда до встречи", "Хорошего вам вечера");
  for (const name of ["Степан", "Виталий"]) await ann.talk(name, ASKED, HOURS);
  await ann.train();
  const { proposals } = await ann.list();
  expect(proposals.map(({ people }) => people)).toEqual([2, 2]);
  expect(proposals.map(({ pair }) => pair.reply)).toEqual([HOURS, "Хорошего вам вечера"]);
});

test("a proposal that was skipped does not come again until that is taken back", async () => {
  const ann = await owner();
  for (const name of ["Олег", "Мария"]) await ann.talk(name, ASKED, HOURS);
  await ann.train();
  const [proposal] = (await ann.list()).proposals;
  const path = `/api/digital-twins/${ann.twinId}/reply-proposals/${proposal!.id}`;
  expect((await ann.client.put(path, { skipped: true })).statusCode).toBe(204);
  expect((await ann.list()).proposals).toEqual([]);
  expect((await ann.client.put(path, { skipped: false })).statusCode).toBe(204);
  expect((await ann.list()).proposals).toHaveLength(1);
  await ann.client.put(path, { skipped: true });
  await ann.talk("Третий Человек", "Скажите, а что с погодой сегодня?", "Ветер и солнце над морем");
  await ann.train();
  expect((await ann.list()).proposals).toEqual([]);
});

test("a recurring reply is known without some whom it was told, as long as three others were told it in answer to the same", async () => {
  const ann = await owner();
  for (const name of ["Олег", "Мария", "Степан", "Виталий", "Константин"]) await ann.talk(name, ASKED, HOURS);
  await ann.train();
  const [told, lostWithout] = await ann.run(async (tx) => {
    const pairs = await tx
      .select({ id: replyExamples.id })
      .from(replyExamples)
      .where(eq(replyExamples.twinId, ann.twinId));
    const ids = pairs.map(({ id }) => id);
    const lost = (count: number) => openRepliesLostWithout(tx, ann.twinId, new Set(ids.slice(0, count)));
    return [
      await tx.select({ id: openReplies.id }).from(openReplies).where(eq(openReplies.twinId, ann.twinId)),
      [await lost(0), await lost(2), await lost(3)],
    ];
  });
  expect(told).toHaveLength(1);
  expect(lostWithout).toEqual([new Set(), new Set(), new Set(told.map(({ id }) => id))]);
});
