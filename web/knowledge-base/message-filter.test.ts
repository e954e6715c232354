import { expect, test } from "vitest";
import type { KnowledgeMessage } from "#contract/knowledge/knowledge-base.ts";
import { foundPieces } from "#web/ui/found-pieces.ts";
import { messageMatcher } from "./message-filter.ts";

const message = (content: string, own: Partial<KnowledgeMessage> = {}): KnowledgeMessage => ({
  id: "1",
  platform: "telegram",
  content,
  timestamp: "2025-11-20T07:01:00.000Z",
  isTrainingData: true,
  digitalTwinId: "t1",
  ...own,
});
const all = { search: "", platform: "all", twinId: "all" };

test("a message passes when it contains every word of the search, in any order and case, «ё» or «е»", () => {
  const passes = messageMatcher({ ...all, search: " ПОСЫЛКУ  еще " });
  expect(passes(message("Ещё жду посылку"))).toBe(true);
  expect(passes(message("Жду посылку"))).toBe(false);
  expect(messageMatcher({ ...all, search: "100% (" })(message("скидка 100% (шутка)"))).toBe(true);
});

test("platform and twin filter messages, and an empty filter accepts all", () => {
  expect(messageMatcher(all)(message(""))).toBe(true);
  expect(messageMatcher({ ...all, platform: "email" })(message("а"))).toBe(false);
  expect(messageMatcher({ ...all, twinId: "t2" })(message("а"))).toBe(false);
  expect(messageMatcher({ ...all, platform: "telegram", twinId: "t1" })(message("а"))).toBe(true);
});

test("matches are extracted in their original spelling", () => {
  expect(foundPieces("Всё ещё жду (да!)", "еще (да")).toEqual(["Всё ", "ещё", " жду ", "(да", "!)"]);
  expect(foundPieces("дата и да", "да дата")).toEqual(["", "дата", " и ", "да", ""]);
  expect(foundPieces("как есть", " ")).toEqual(["как есть"]);
});

test("the only match among five thousand messages is found", () => {
  const many = Array.from({ length: 5000 }, (_, n) =>
    message(`Сообщение номер ${n}: доставка по Москве занимает один день`),
  );
  expect(many.filter(messageMatcher({ ...all, search: "номер 4999" }))).toHaveLength(1);
});
