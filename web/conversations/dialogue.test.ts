import { expect, test } from "vitest";
import { matches, ReadConversation, toDialogue } from "./dialogue.ts";

const read = (value: object) => toDialogue(ReadConversation.parse({ id: "1", ...value }));

test("a dialogue with nothing but an id gets the specified names, is closed and shows 10 to 59 messages", () => {
  for (let place = 0; place < 300; place++) {
    const dialogue = read({ id: `only ${place}`, participants: null, twinName: 5 });
    expect(dialogue).toMatchObject({ participantName: "Unknown Contact", twinName: "Unknown Twin", isActive: false });
    expect(dialogue.messageCount).toBeGreaterThanOrEqual(10);
    expect(dialogue.messageCount).toBeLessThanOrEqual(59);
    expect(read({ id: `only ${place}` }).messageCount).toBe(dialogue.messageCount);
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
  const dialogue = read({
    participants: { name: "Мария Ёлкина", status: "active" },
    platform: "telegram",
    twinId: "t",
  });
  for (const filters of [{}, { q: "ёлк" }, { status: "active" }, { platform: "telegram" }, { twinId: "t" }] as const) {
    expect(matches(dialogue, filters), JSON.stringify(filters)).toBe(true);
  }
  for (const filters of [{ q: "олег" }, { status: "closed" }, { platform: "email" }, { twinId: "x" }] as const) {
    expect(matches(dialogue, filters), JSON.stringify(filters)).toBe(false);
  }
});
