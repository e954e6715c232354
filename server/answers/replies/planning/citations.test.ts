import { expect, test } from "vitest";
import { embeddedGenerator } from "../embedded-generator.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { citationsOf } from "./citations.ts";

const chunk = (id: string, documentId: string, text: string) => ({
  ...{ id, documentId, name: `${documentId}.md`, heading: "", text, score: 1 },
  sentences: [{ text, score: 1 }],
});
const request: ReplyRequest = {
  twin: { name: "Анна", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Сколько стоит доставка и возврат?", history: [], replyExamples: [] },
  chunks: [
    chunk("1", "Доставка", "Доставка стоит **300 рублей**."),
    chunk("2", "Доставка", "## Возврат\nВозврат стоит 200 рублей."),
    chunk("3", "Оплата", "Возврат денег идёт три дня."),
  ],
  confidence: { chunks: 0.9, replyExamples: 0 },
  plan: { kind: "knowledge", confidence: 0.9, reason: "" },
};

test("a document is named once however many of its chunks are cited, and is shown without markup", () => {
  const said = "Доставка стоит 300 рублей. Возврат стоит 200 рублей. Возврат денег идёт три дня.";
  expect(citationsOf(embeddedGenerator(), request, said).sources).toEqual([
    {
      ...{ documentId: "Доставка", name: "Доставка.md" },
      text: "Доставка стоит 300 рублей.\n\n…\n\nВозврат\nВозврат стоит 200 рублей.",
    },
    { documentId: "Оплата", name: "Оплата.md", text: "Возврат денег идёт три дня." },
  ]);
});
