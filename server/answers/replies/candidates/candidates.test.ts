import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { learnScorer } from "#server/knowledge/style-scorer/learn-scorer.ts";
import { scorerOf } from "#server/knowledge/style-scorer/stored-scorer.ts";
import { ModelFailure } from "#server/models/host/failures.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/factories/invented-people.ts";
import type { AnswerNotes, ReplyExample, ReplyRequest } from "../reply-request.ts";
import { bestOf, type Writing } from "./best-of-n.ts";
import type { Candidate } from "./candidate.ts";
import { choose } from "./choose.ts";

const turns = (texts: readonly string[]) => texts.map((text) => ({ text, contactId: null }));
const scorer = scorerOf(
  {
    scorer: learnScorer(
      {
        own: turns(messagesOf(OWNER, 300, "known")),
        others: turns(OTHERS.flatMap((habits, at) => messagesOf(habits, 60, `other ${at}`))),
      },
      new Map(),
    ),
  },
  null,
)!;
const NOTES: AnswerNotes = {
  ...{ kind: "answered", unsupported: [], again: false },
  ...{ shortened: false, computed: false, weak: false, defers: false },
};
const candidate = (text: string): Candidate => ({ text, notes: NOTES });
const request = (over: Partial<ReplyRequest> = {}): ReplyRequest => ({
  twin: { name: "Иван", description: "", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Мы вчера вернулись с дачи", history: [], chunks: [], replyExamples: [], scorer },
  confidence: { chunks: 0, replyExamples: 0 },
  plan: { kind: "smalltalk", confidence: 0.6, reason: "" },
  ...over,
});
const HIS = "ну короче поезд готов)))";
const NOBODYS = "Прошу Вас, поезд готов.";

test("the reply that sounds most like the owner is chosen, and of nearly equal ones the first", () => {
  expect(choose([NOBODYS, HIS].map(candidate), request()).text).toBe(HIS);
  expect(choose(["ну короче дом готов)))", "ну короче ключ готов)))"].map(candidate), request()).text).toBe(
    "ну короче дом готов)))",
  );
  // Without a scorer the owner's style is unknown.
  expect(choose([NOBODYS, HIS].map(candidate), request({ scorer: null })).text).toBe(NOBODYS);
});

test("a reply that exaggerates the owner's manner is not chosen", () => {
  const caricature = "ну слушай, кстати короче ну короче))) ну)))";
  expect(choose([caricature, HIS].map(candidate), request()).text).toBe(HIS);
});

test("a reply that repeats eight words in a row from a past reply is passed over where there is another", () => {
  const past = "ну короче дом готов, ключ у соседа, билет нужен завтра)))";
  const replyExample: ReplyExample = { id: "1", incoming: "как дом?", reply: past, score: 1, sameContact: true };
  for (const shown of [{ replyExamples: [replyExample] }, { exchanges: [replyExample] }]) {
    expect(choose([past, NOBODYS].map(candidate), request(shown)).text).toBe(NOBODYS);
    expect(choose([past].map(candidate), request(shown)).text).toBe(past);
  }
  expect(choose([past, NOBODYS].map(candidate), request()).text).toBe(past);
});

/** @param texts the model's texts for the second and further candidates */
function writing(texts: string[], over: Partial<Writing> = {}): Writing & { asked: number[] } {
  const asked: number[] = [];
  return {
    ...{ most: 8, forMs: 60_000, firstMs: 1, asked, secrets: ["тайна"], refuses: () => false, isWanted: () => false },
    ask: (at) => {
      asked.push(at);
      return { deltas: said(texts[at - 1] ?? ""), cut: () => false };
    },
    ...over,
  };
}

async function* said(text: string) {
  yield text;
}

test("at most eight candidates are considered, and none that holds what may not be said", async () => {
  const seen: string[][] = [];
  const price = "ну короче ужин стоит 900 рублей)))";
  const secret = "ну короче тайна)))";
  const all = writing([price, secret, HIS, "", "ну дом готов)))"], {
    refuses: ({ text }) => text === "ну дом готов)))",
    observe: (_, found) => seen.push(found.map(({ text }) => text)),
  });
  expect((await bestOf(candidate(NOBODYS), request(), all)).text).toBe(HIS);
  expect(all.asked).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(seen).toEqual([[NOBODYS, HIS]]);
});

test("no more candidates are written than there is time for, judged by the slowest so far", async () => {
  const slow = (ms: number) =>
    async function* () {
      await pause(ms);
      yield HIS;
    };
  const asked: number[] = [];
  const ask = (at: number) => {
    asked.push(at);
    return { deltas: slow(at === 1 ? 60 : 1)(), cut: () => false };
  };
  await bestOf(candidate(NOBODYS), request(), writing([], { forMs: 100, firstMs: 1, ask }));
  // A third might take as long as the second did.
  expect(asked).toEqual([1]);
  for (const over of [{ firstMs: 200, forMs: 100 }, { forMs: 0 }, { most: 1 }, { isWanted: () => true }]) {
    const none = writing([HIS], over);
    expect((await bestOf(candidate(NOBODYS), request(), none)).text).toBe(NOBODYS);
    expect(none.asked).toEqual([]);
  }
});

test("one reply is enough where the owner's manner is unknown or the answer is not the model's own", async () => {
  const unknown = { ...candidate("не знаю"), notes: { ...NOTES, kind: "unknown" as const } };
  for (const [first, asked] of [
    [candidate(NOBODYS), request({ scorer: null })],
    [unknown, request()],
  ] as const) {
    const all = writing([HIS]);
    expect(await bestOf(first, asked, all)).toBe(first);
    expect(all.asked).toEqual([]);
  }
});

const text = "Доставка стоит 350 рублей.";
const delivery = (over: Partial<ReplyRequest> = {}) =>
  request({
    message: "Сколько стоит доставка?",
    chunks: [
      {
        ...{ id: "1", documentId: "d", name: "Доставка", heading: "", text, score: 1 },
        sentences: [{ text, score: 1 }],
      },
    ],
    plan: { kind: "knowledge", confidence: 0.9, reason: "" },
    ...over,
  });

test("the first sentences of a long reply to a remark compete too; an answer is never shortened", async () => {
  const long = `${HIS}\nПрошу Вас также учесть все прочие обстоятельства. Надеюсь на Ваше понимание и жду дальнейших указаний.`;
  expect((await bestOf(candidate(long), request(), writing([], { most: 1 }))).text).toBe(HIS);
  const answer = `${text} Прошу Вас также учесть все прочие обстоятельства. Надеюсь на Ваше понимание и жду дальнейших указаний.`;
  expect((await bestOf(candidate(answer), delivery(), writing([], { most: 1 }))).text).toBe(answer);
});

test("a candidate with less confidence than the first is not chosen, however well it sounds", async () => {
  const first = candidate(text);
  const loose = "ну короче там по-разному)))";
  const asked = delivery();
  expect((await bestOf(first, asked, writing([loose]))).text).toBe(text);
  // The candidate's style alone would win.
  expect(choose([first, candidate(loose)], asked).text).toBe(loose);
});

test("candidates for a friend's message are chosen by manner alone, because they state nothing", async () => {
  const first = candidate(text);
  const warm = "ну держись, короче)))";
  const plan = { kind: "unknown", confidence: 0.1, reason: "" } as const;
  const asked = delivery({ plan, friend: { act: "telling", words: [] } });
  expect((await bestOf(first, asked, writing([warm]))).text).toBe(warm);
  expect((await bestOf(first, delivery({ plan }), writing([warm]))).text).toBe(text);
});

test("the first reply is used when the model fails after it, and nothing is when the reader leaves", async () => {
  const failing = (error: Error) =>
    writing([], {
      ask: () => ({
        // biome-ignore lint/correctness/useYield: it fails before it says anything.
        deltas: (async function* () {
          throw error;
        })(),
        cut: () => false,
      }),
    });
  expect((await bestOf(candidate(NOBODYS), request(), failing(new ModelFailure("crashed")))).text).toBe(NOBODYS);
  const gone = failing(new DOMException("gone", "AbortError"));
  await expect(bestOf(candidate(NOBODYS), request(), gone)).rejects.toThrow("gone");
});
