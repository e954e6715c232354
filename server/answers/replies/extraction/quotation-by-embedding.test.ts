import { expect, test } from "vitest";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { piecesOf } from "./pieces.ts";
import { nearestPiece, quotationByEmbedding } from "./quotation-by-embedding.ts";

const TEXT =
  "# Цены\n\n| Работа | Цена |\n| --- | --- |\n| Стрижка | 900 |\n| Укладка | 1200 |\n\n- Запись по телефону.\n- Оплата картой.\n\nВход со двора, направо от арки.\n\n# Часы\n\nОткрыто с девяти до восьми, без обеда.\n\n# Подарки\n\nСертификат годен полгода и на любую сумму.";
const chunk: ReplyChunk = {
  id: "7",
  documentId: "d",
  name: "Салон",
  heading: "",
  text: TEXT,
  score: 1,
  sentences: [],
};

test("the piece that stands out is quoted, whatever cosines the model usually gives", () => {
  const pieces = piecesOf(TEXT);
  expect(pieces.length).toBeGreaterThan(4);
  for (const [usual, step] of [
    [0.83, 0.02],
    [0.1, 0.3],
  ] as const) {
    const near = pieces.map((_, at) => usual + (at === 1 ? step : (at % 3) * step * 0.05));
    expect(nearestPiece([chunk], new Map([[7, near]]))).toMatchObject({ text: pieces[1], ahead: expect.any(Number) });
    expect(nearestPiece([chunk], new Map([[7, near]]))!.ahead).toBeGreaterThan(1.5);
  }
});

test("nothing is nearest where no vectors exist or all pieces are equally near", () => {
  expect(nearestPiece([chunk], new Map())).toBeNull();
  expect(nearestPiece([chunk], new Map([[7, piecesOf(TEXT).map(() => 0.8)]]))!.ahead).toBe(0);
});

test("the embedding overrules the words only by a wide margin, and its confidence is never high", () => {
  const byWords = { text: "слова", chunk, likelihood: 0.3 };
  const meant = { text: "смысл", chunk };
  expect(quotationByEmbedding(byWords, null)).toBe(byWords);
  expect(quotationByEmbedding(byWords, { ...meant, ahead: 1 })).toBe(byWords);
  expect(quotationByEmbedding(byWords, { ...meant, ahead: 2.5 })).toMatchObject({ text: "смысл", likelihood: 0.3 });
  const unlikely = { ...byWords, likelihood: 0.02 };
  expect(quotationByEmbedding(unlikely, { ...meant, ahead: 2.5 })).toBe(unlikely);
  expect(quotationByEmbedding(unlikely, { ...meant, text: "слова", ahead: 2.5 })!.likelihood).toBeGreaterThan(0.1);
  expect(quotationByEmbedding(null, { ...meant, ahead: 3.1 })!.likelihood).toBeLessThan(0.2);
});
