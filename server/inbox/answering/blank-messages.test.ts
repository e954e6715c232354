import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { gapQuestions, inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import {
  asked,
  connect,
  hear,
  linesOf,
  type Place,
  prepareOwnerInbox,
  sentTo,
  someone,
  t,
} from "#server/test/channels/owner-inbox-bench.ts";

prepareOwnerInbox();

const outboxOf = (conversationId: string) =>
  t.services.db
    .select({ question: outbox.question, reason: outbox.reason })
    .from(outbox)
    .where(eq(outbox.conversationId, conversationId));

const eventsOf = ({ integrationId }: Place) =>
  t.services.db
    .select({ status: inboxEvents.status, error: inboxEvents.error })
    .from(inboxEvents)
    .where(eq(inboxEvents.integrationId, integrationId));

test.each([
  ["spaces", " \u00a0\n\t"],
  ["zero-width characters", "\u200b\u200d\u2060\ufeff"],
  ["a Hangul filler and direction marks", "\u3164\u200e\u202e"],
  ["nothing", ""],
])(
  "a message of %s is kept in the conversation, but neither answered nor counted as a question",
  async (_name, text) => {
    const [place, ivan] = [await connect("auto"), someone()];
    const requests = asked.length;
    const id = await hear(place, ivan, text);
    expect(await eventsOf(place)).toEqual([{ status: "ignored", error: "Сообщение без видимого текста" }]);
    expect(await linesOf(place, id)).toEqual([text]);
    expect(await outboxOf(id)).toEqual([]);
    expect(sentTo(ivan)).toEqual([]);
    expect(asked.length).toBe(requests);
    expect(await t.services.db.select().from(gapQuestions).where(eq(gapQuestions.twinId, place.twinId))).toEqual([]);
  },
);

test("a question beside blank messages is answered without them", async () => {
  const [place, ivan] = [await connect("draft"), someone()];
  const parts = ["\u200b", "Сколько стоит доставка?", " "];
  const [id] = await Promise.all(parts.map((text) => hear(place, ivan, text)));
  expect(await outboxOf(id!)).toMatchObject([{ question: "Сколько стоит доставка?" }]);
});

test("an attachment whose caption is blank waits for the owner as one without text", async () => {
  const [place, ivan] = [await connect("auto"), someone()];
  const id = await hear(place, ivan, "\u200b", { attachments: ["Фото"] });
  expect(await outboxOf(id)).toMatchObject([{ reason: "Вложение без текста: посмотрите сами" }]);
});
