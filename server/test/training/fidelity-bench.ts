/** A twin whose likeness to its owner is measured. */
import { afterAll, beforeAll } from "vitest";
import type { Generator } from "#server/answers/replies/generator.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { ensureChat, ensureContacts, ensureSource, storeMessages } from "#server/knowledge/messages/messages.ts";
import { pairChat } from "#server/knowledge/messages/pair-chats.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/factories/invented-people.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

export let t: TestApp;

export const calm: AbortSignal = new AbortController().signal;
const DAY_MS = 24 * 3600_000;
/** A reply said to one person on the first day and on the last, to questions in other words. */
export const SAID_TWICE = "договор подпишу завтра утром, когда вернусь домой)";

/** A twin whose owner has answered each of `people` three times a day, an hour apart, on `days` days. */
export async function twinWithTalks(client: TestClient, people: number, days: number): Promise<string> {
  const input = {
    name: "Вера",
    description: "Отвечает тем, кто пишет о делах",
    personality: "Спокойная, шутит редко",
    communicationStyle: "Коротко и по делу",
    knowledgeArea: "Дела и поездки",
  };
  const twinId = (await client.post("/api/digital-twins", input)).json().id as string;
  const tenant = client.caller;
  await asTenant(t.services.db, tenant, async (tx) => {
    const kind = { kind: "export", platform: "telegram", externalId: "1", name: "Выгрузка" } as const;
    const sourceId = await ensureSource(tx, tenant, twinId, kind);
    const place = { twinId, sourceId, platform: "telegram" };
    for (const [at, habits] of OTHERS.slice(0, people).entries()) {
      const who = { externalId: `${at}`, name: `Человек ${at}` };
      const contactId = (await ensureContacts(tx, tenant, place, [who])).get(who.externalId)!;
      const chatId = await ensureChat(tx, tenant, place, { ...who, kind: "private" });
      const count = days * 3;
      const [theirs, own] = [messagesOf(habits, count, `of ${at}`), messagesOf(OWNER, count, `to ${at}`)];
      if (at === 0) {
        theirs.splice(0, 1, "подпишешь договор?");
        theirs.splice(-1, 1, "а договор ты подпишешь?");
        own.splice(0, 1, SAID_TWICE);
        own.splice(-1, 1, SAID_TWICE);
      }
      const lines = theirs.flatMap((text, place) => {
        const sentAt = Date.UTC(2025, 0, 1, 9, at) + Math.floor(place / 3) * DAY_MS + (place % 3) * 3600_000;
        const line = { chatId, replyTo: null, kind: "text" as const };
        return [
          { ...line, contactId, fromOwner: false, externalId: `${place}?`, text, sentAt: new Date(sentAt) },
          {
            ...line,
            contactId: null,
            fromOwner: true,
            externalId: `${place}!`,
            text: own[place]!,
            sentAt: new Date(sentAt + 30_000),
          },
        ];
      });
      await storeMessages(tx, tenant, place, lines);
      await pairChat(tx, tenant, { twinId, chatId });
    }
  });
  const { organizationId, userId } = tenant;
  await trainTwin(t.services, { organizationId, userId, twinId }, calm);
  return twinId;
}

/** Answers whatever is asked as the owner writes. Without a model hardly anything can be answered to messages drawn at random. */
export const inTheOwnersHand = (asked: ReplyRequest[] = []): Generator => ({
  name: "embedded",
  async *generate(request) {
    asked.push(request);
    yield messagesOf(OWNER, 1, `answer to ${request.message}`)[0]!;
  },
});

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareFidelity(): void {
  beforeAll(async () => {
    t = await testApp();
    // The tests run the jobs themselves.
    await t.services.jobs.stop(2000);
  });
  afterAll(() => t.close());
}
