import { describe, expect, test } from "vitest";
import type { Secrecy } from "#server/platform/db/schema/secrecy.ts";
import type { Generator } from "../generator.ts";
import type { Plan, ReplyExample, ReplyRequest } from "../reply-request.ts";
import { secrecyOf } from "./secrecy.ts";

const generator = (name: Generator["name"], fellBack = false): Generator => ({
  name,
  async *generate() {},
  fellBack: () => fellBack,
});
const plan = (kind: Plan["kind"], ask?: string): Plan => ({
  ...{ kind, confidence: 0.5, reason: "" },
  ...(ask === undefined ? {} : { ask }),
});
const letter: ReplyExample = { id: "1", incoming: "Где ключи?", reply: "Под ковриком", score: 1, sameContact: true };
const open: ReplyExample = { ...letter, id: "open 1", isOpen: true };
const chunk = { id: "1", documentId: "d", name: "Прайс", heading: "", text: "300 рублей", score: 1, sentences: [] };

const request = (changes: Partial<ReplyRequest> = {}): ReplyRequest => ({
  twin: { name: "Д", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Где ключи?", history: [], chunks: [], replyExamples: [] },
  ...{ confidence: { chunks: 0, replyExamples: 0 }, plan: plan("unknown") },
  ...changes,
});

describe("an answer is as secret as its sources", () => {
  const embedded = generator("embedded");
  const filler = { reply: "Ага", kind: "reaction" } as unknown as NonNullable<ReplyRequest["fillers"]>[number];
  const friend = { act: "telling", words: [] } as unknown as NonNullable<ReplyRequest["friend"]>;
  const cases: [title: string, plan: Plan, changes: Partial<ReplyRequest>, secrecy: Secrecy][] = [
    ["a document", plan("knowledge"), { chunks: [chunk], replyExamples: [letter] }, "public"],
    ["a quotation", plan("quoted"), { chunks: [chunk] }, "public"],
    ["a fact for one contact", plan("knowledge"), { chunks: [chunk, { ...chunk, secrecy: "contact" }] }, "contact"],
    ["a letter to this contact", plan("recurring"), { replyExamples: [open, letter] }, "contact"],
    ["a reply that is open to everybody", plan("recurring"), { replyExamples: [open] }, "public"],
    ["asking for the number of an order", plan("recurring", "номер заказа"), { replyExamples: [letter] }, "public"],
    ["small talk", plan("smalltalk"), { replyExamples: [letter] }, "public"],
    ["not knowing", plan("unknown"), { replyExamples: [letter] }, "public"],
    ["not knowing, in the owner's words to this contact", plan("unknown"), { fillers: [filler] }, "contact"],
    ["words to a friend", plan("smalltalk"), { friend }, "contact"],
  ];
  test.each(cases)("without a model: %s", (_, planned, changes, secrecy) => {
    expect(secrecyOf(embedded, request(changes), planned)).toBe(secrecy);
  });

  test("a correction for one contact is that contact's, a published one is public", () => {
    const corrected = { kind: "fact", text: "Под ковриком", question: null, similarity: 1 } as const;
    for (const secrecy of ["contact", "public"] as const)
      expect(secrecyOf(embedded, request({ corrected: { ...corrected, secrecy } }), plan("knowledge"))).toBe(secrecy);
  });

  const model = generator("llm");
  test.each<[string, Partial<ReplyRequest>, Secrecy]>([
    ["documents and open replies", { chunks: [chunk], replyExamples: [open], exchanges: [open] }, "public"],
    ["a letter among the past replies", { chunks: [chunk], replyExamples: [letter] }, "contact"],
    ["a letter among the examples of manner", { chunks: [chunk], exchanges: [open, letter] }, "contact"],
    [
      "an earlier private answer of the conversation",
      { history: [{ role: "assistant", content: "Под ковриком", secrecy: "contact" }] },
      "contact",
    ],
    [
      "the conversation alone",
      { history: [{ role: "user", content: "Где?", secrecy: "organization" }] },
      "organization",
    ],
  ])("of a model that has read %s", (_, changes, secrecy) => {
    expect(secrecyOf(model, request(changes), plan("knowledge"))).toBe(secrecy);
  });

  test("where the embedded engine has answered in place of a model, only its own sources count", () => {
    const fellBack = generator("llm", true);
    const read = request({ chunks: [chunk], exchanges: [letter] });
    expect(secrecyOf(fellBack, read, plan("knowledge"))).toBe("public");
  });
});
