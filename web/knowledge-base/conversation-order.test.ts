import { expect, test } from "vitest";
import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";
import { beginsConversation, inConversations } from "./conversation-order.ts";

const message = (minute: number, chatName?: string, own: Partial<KnowledgeMessage> = {}): KnowledgeMessage => ({
  id: String(minute),
  platform: "telegram",
  content: "",
  timestamp: `2025-11-20T07:${minute}:00.000Z`,
  isTrainingData: true,
  digitalTwinId: "t1",
  ...(chatName && { chatName }),
  ...own,
});
const idsOf = (messages: readonly KnowledgeMessage[]) => messages.map(({ id }) => id);
const beginningsOf = (messages: readonly KnowledgeMessage[]) =>
  idsOf(messages.filter((each, place) => beginsConversation(each, messages[place - 1])));

test("interwoven conversations stand one after the other, the newest first, each in the order it was written", () => {
  const read = inConversations([
    message(50, "Мария"),
    message(40, "Олег"),
    message(30, "Мария"),
    message(20, "Олег"),
    message(10, "Мария"),
  ]);
  expect(idsOf(read)).toEqual(["10", "30", "50", "20", "40"]);
  expect(beginningsOf(read)).toEqual(["10", "20"]);
});

test("one name on two platforms, or at two twins, is two conversations", () => {
  const read = inConversations([
    message(50, "Мария"),
    message(40, "Мария", { platform: "email" }),
    message(30, "Мария", { digitalTwinId: "t2" }),
    message(20, "Мария"),
  ]);
  expect(idsOf(read)).toEqual(["20", "50", "40", "30"]);
  expect(beginningsOf(read)).toEqual(["20", "40", "30"]);
});

test("what a later page says of the same conversation begins anew, for it is older", () => {
  const read = [
    [message(50, "Мария"), message(40, "Мария")],
    [message(30, "Мария"), message(20, "Мария")],
  ].flatMap(inConversations);
  expect(idsOf(read)).toEqual(["40", "50", "20", "30"]);
  expect(beginningsOf(read)).toEqual(["40", "20"]);
});

test("messages of no known chat stay as they came, under no heading", () => {
  const read = inConversations([message(50), message(40, "Мария"), message(30)]);
  expect(idsOf(read)).toEqual(["50", "40", "30"]);
  expect(beginningsOf(read)).toEqual(["40"]);
});
