/** An invention of a local model without a passed exam is dropped: the twin replies as it would without the model. */
import { expect, test } from "vitest";
import type { ModelAbility } from "#contract/models/remote-model.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { Generated, ModelHost } from "#server/models/host/model-host.ts";
import { createLog } from "#server/platform/log.ts";
import { localGenerator } from "../local-generator.ts";
import type { ReplyRequest } from "../reply-request.ts";

const PARKING = "Во дворе под шлагбаум, место одно, предупредите накануне.";
const INVENTED = "Доставка стоит 900 рублей, привезём завтра к 15:00.";
const chunk: ReplyChunk = {
  ...{ id: "1", documentId: "d", name: "Гостям", heading: "", text: PARKING, score: 1 },
  sentences: [{ text: PARKING, score: 1 }],
};
const request: ReplyRequest = {
  twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Где оставить машину?", history: [], replyExamples: [], chunks: [chunk] },
  quotation: { text: PARKING, chunk, likelihood: 0.5 },
  confidence: { chunks: 0.3, replyExamples: 0 },
  plan: { kind: "quoted", confidence: 0.3, reason: "" },
  payer: { organizationId: "o", userId: "u", twinId: "t" },
};

/** Returns the reply of a model that writes only `INVENTED`, with the notes of the check. */
async function answeredBy(ability: ModelAbility | undefined) {
  const host = {
    facts: async () => ({ generator: { contextTokens: 8192, parameters: 8e9 } }),
    async *generate(): AsyncGenerator<string, Generated> {
      yield INVENTED;
      return { stopped: "end", input: 1, output: 1, reused: 0 };
    },
    prefill: async () => null,
  } as unknown as ModelHost;
  const generator = localGenerator({
    host,
    log: createLog("silent"),
    totalMs: 60_000,
    ability: () => ability,
  });
  let text = "";
  for await (const delta of generator.generate(request, new AbortController().signal)) text += delta;
  return { text, kind: generator.notes?.(request)?.kind };
}

test.each([undefined, "words"] as const)(
  "where a model with the exam %s has invented, the document is quoted as without it",
  async (ability) => {
    const { text, kind } = await answeredBy(ability);
    expect(kind).toBe("unsure");
    expect(text).toContain(PARKING);
    expect(text).not.toContain("900");
  },
);

test("a model whose exam allows only small talk is not asked a question", async () => {
  const { text, kind } = await answeredBy("small-talk");
  expect(kind).toBeUndefined();
  expect(text).toContain(PARKING);
});

test("what a model with a passed exam has invented is held for the owner, and the document that it has read in vain is not quoted", async () => {
  const { text, kind } = await answeredBy("answers");
  expect(kind).toBe("held");
  expect(text).not.toMatch(/900|шлагбаум/);
});
