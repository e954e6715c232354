import { AsyncLocalStorage } from "node:async_hooks";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { incrementKnowledgeVersion } from "#server/accounts/twins/training.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { buildTwinRow } from "#server/test/factories/build-rows.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { ensureChat, ensureContacts, ensureSource, storeMessages } from "./messages.ts";
import { pairChats } from "./pair-chats.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** Runs `work`; calls `beforeTransaction` before each of its own transactions. */
async function watched(
  db: Database,
  beforeTransaction: (count: number) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  const ours = new AsyncLocalStorage<true>();
  const connect = db.$requests.connect.bind(db.$requests);
  let count = 0;
  // With a callback, the pool itself connects for a statement outside transactions.
  db.$requests.connect = ((...given: []) =>
    ours.getStore() && given.length === 0
      ? ours.exit(() => beforeTransaction(++count)).then(() => connect())
      : connect(...given)) as typeof db.$requests.connect;
  await ours.run(true, work).finally(() => {
    db.$requests.connect = connect as typeof db.$requests.connect;
  });
}

test("a message that is deleted between the reading and the storing of a page is in no pair", async () => {
  const { caller } = await t.signUp();
  const { db } = t.services;
  const { twinId, chatIds } = await asTenant(db, caller, async (tx) => {
    const twinId = await buildTwinRow(tx, caller);
    const source = { kind: "export" as const, platform: "telegram", externalId: "1", name: "Выгрузка" };
    const place = {
      twinId,
      platform: "telegram",
      sourceId: await ensureSource(tx, caller, twinId, source),
    };
    const chatIds: number[] = [];
    for (const externalId of ["а", "б"]) {
      const chatId = await ensureChat(tx, caller, place, { externalId, kind: "private", name: externalId });
      const people = await ensureContacts(tx, caller, place, [{ externalId, name: externalId }]);
      const lines = ["один?", "1", "два?", "2"].map((text, at) => ({
        chatId,
        contactId: at % 2 === 0 ? people.get(externalId)! : null,
        fromOwner: at % 2 === 1,
        externalId: String(at),
        replyTo: null,
        kind: "text" as const,
        text: `${externalId}: ${text}`,
        sentAt: new Date(Date.UTC(2025, 0, 1, at)),
      }));
      await storeMessages(tx, caller, place, lines);
      chatIds.push(chatId);
    }
    return { twinId, chatIds };
  });

  // The transactions are: revision, first page, its storing, second page, its storing.
  const disturb = async (count: number) => {
    if (count !== 3 && count !== 5) return;
    const removed = count === 3 ? "а: 1" : "б: 2";
    await asTenant(db, caller, async (tx) => {
      await tx.delete(messages).where(eq(messages.text, removed));
      await incrementKnowledgeVersion(tx, twinId);
    });
  };
  await watched(db, disturb, () => pairChats(db, caller, twinId, chatIds, new AbortController().signal));

  const pairs = await asTenant(db, caller, (tx) =>
    tx
      .select({ incoming: replyExamples.incoming, reply: replyExamples.reply })
      .from(replyExamples)
      .where(eq(replyExamples.twinId, twinId)),
  );
  expect(pairs.map(({ incoming, reply }) => `${incoming} → ${reply}`).toSorted()).toEqual([
    "а: два? → а: 2",
    "б: один? → б: 1",
  ]);
});
