import { expect, test } from "vitest";
import { digest, findOwnMessageId, messageIdsIn, ownMessageId, referencesOf, threadOf } from "./thread.ts";

const KEY = "8b6f2a4e-0000-4000-8000-000000000000";
const own = ownMessageId(KEY, "0123456789abcdef", "shop@a.test");

test("a reply to our letter is in our letter's thread, another one in that of its first letter", () => {
  expect(threadOf({ messageId: "<2@b.test>", references: ["<1@b.test>", own] }, "else")).toBe("0123456789abcdef");
  expect(threadOf({ messageId: "<2@b.test>", references: ["<1@b.test>"] }, "else")).toBe(digest("<1@b.test>"));
  expect(threadOf({ messageId: "<2@b.test>", references: [] }, "else")).toBe(digest("<2@b.test>"));
  expect(threadOf({ messageId: null, references: [] }, "else")).toBe(digest("else"));
});

test("a long thread's reply names its first letter and the newest ones, each once", () => {
  const references = Array.from({ length: 30 }, (_, at) => `<${at}@b.test>`);
  const kept = referencesOf({ messageId: "<29@b.test>", references });
  expect(kept).toHaveLength(20);
  expect([kept[0], kept[1], kept.at(-1)]).toEqual(["<0@b.test>", "<11@b.test>", "<29@b.test>"]);
  expect(referencesOf({ messageId: null, references: ["<0@b.test>"] })).toEqual(["<0@b.test>"]);
});

test("ids are found in headers and in a returned letter's text", () => {
  expect(messageIdsIn("<1@b.test> <2@b.test>", undefined)).toEqual(["<1@b.test>", "<2@b.test>"]);
  expect(messageIdsIn(undefined)).toEqual([]);
  expect(findOwnMessageId(`Message-ID: ${own} and more`)).toEqual({ id: own, thread: "0123456789abcdef" });
  expect(findOwnMessageId("<1@b.test>")).toBeNull();
});
