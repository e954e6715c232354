import { expect, test } from "vitest";
import { matches, ReadConversation, toShownConversation } from "./shown-conversation.ts";

const read = (value: object) => toShownConversation(ReadConversation.parse({ id: "1", ...value }));

test("a conversation with nothing but an id gets the specified names, is closed and shows 10 to 59 messages", () => {
  for (let place = 0; place < 300; place++) {
    const conversation = read({ id: `only ${place}`, participants: null, twinName: 5 });
    expect(conversation).toMatchObject({
      participantName: "Unknown Contact",
      twinName: "Unknown Twin",
      isActive: false,
    });
    expect(conversation.messageCount).toBeGreaterThanOrEqual(10);
    expect(conversation.messageCount).toBeLessThanOrEqual(59);
    expect(read({ id: `only ${place}` }).messageCount).toBe(conversation.messageCount);
  }
});

test("values from the server take precedence over invented ones, even zero", () => {
  const participants = { name: "Мария", status: "active" };
  expect(read({ messageCount: 0, participants, twinName: "Анна" })).toMatchObject({
    messageCount: 0,
    countInvented: false,
    participantName: "Мария",
    twinName: "Анна",
    isActive: true,
  });
});

test("a filter matches names and the last message in any case, and status, platform and twin", () => {
  const conversation = read({
    participants: { name: "Мария Ёлкина", status: "active" },
    platform: "telegram",
    twinId: "t",
  });
  for (const filters of [{}, { q: "ёлк" }, { status: "active" }, { platform: "telegram" }, { twinId: "t" }] as const) {
    expect(matches(conversation, filters), JSON.stringify(filters)).toBe(true);
  }
  for (const filters of [{ q: "олег" }, { status: "closed" }, { platform: "email" }, { twinId: "x" }] as const) {
    expect(matches(conversation, filters), JSON.stringify(filters)).toBe(false);
  }
});

test("beside the messages that a search found, a conversation stands for a name, and not for what was said there", () => {
  const conversation = read({
    participants: { name: "Мария", status: "active" },
    twinName: "Анна",
    lastMessage: "Доставка завтра",
    match: "Доставка завтра",
  });
  for (const q of ["мар", "анна", "мария доставка"]) expect(matches(conversation, { q, named: "1" }), q).toBe(true);
  for (const q of ["доставка", "мария вчера"]) expect(matches(conversation, { q, named: "1" }), q).toBe(false);
  expect(matches(conversation, { q: "доставка" })).toBe(true);
});
