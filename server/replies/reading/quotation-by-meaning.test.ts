import { expect, test } from "vitest";
import type { ReplyPassage } from "#server/search/passage.ts";
import { piecesOf } from "./pieces.ts";
import { nearestPiece, quotationByMeaning } from "./quotation-by-meaning.ts";

const TEXT =
  "# Цены\n\n| Работа | Цена |\n| --- | --- |\n| Стрижка | 900 |\n| Укладка | 1200 |\n\n- Запись по телефону.\n- Оплата картой.\n\nВход со двора, направо от арки.\n\n# Часы\n\nОткрыто с девяти до восьми, без обеда.\n\n# Подарки\n\nСертификат годен полгода и на любую сумму.";
const passage: ReplyPassage = {
  id: "7",
  documentId: "d",
  name: "Салон",
  heading: "",
  text: TEXT,
  score: 1,
  sentences: [],
};

test("the piece that stands out is quoted, whatever cosines the model is used to", () => {
  const pieces = piecesOf(TEXT);
  expect(pieces.length).toBeGreaterThan(4);
  for (const [usual, step] of [
    [0.83, 0.02],
    [0.1, 0.3],
  ] as const) {
    const near = pieces.map((_, at) => usual + (at === 1 ? step : (at % 3) * step * 0.05));
    expect(nearestPiece([passage], new Map([[7, near]]))).toMatchObject({ text: pieces[1], ahead: expect.any(Number) });
    expect(nearestPiece([passage], new Map([[7, near]]))!.ahead).toBeGreaterThan(1.5);
  }
});

test("nothing is nearest where nothing is learnt, and equal pieces are not ahead", () => {
  expect(nearestPiece([passage], new Map())).toBeNull();
  expect(nearestPiece([passage], new Map([[7, piecesOf(TEXT).map(() => 0.8)]]))!.ahead).toBe(0);
});

test("meaning takes the place of what words would quote only from well ahead, and is never sure", () => {
  const byWords = { text: "слова", passage, likelihood: 0.3 };
  const meant = { text: "смысл", passage };
  expect(quotationByMeaning(byWords, null)).toBe(byWords);
  expect(quotationByMeaning(byWords, { ...meant, ahead: 1 })).toBe(byWords);
  expect(quotationByMeaning(byWords, { ...meant, ahead: 2.5 })).toMatchObject({ text: "смысл", likelihood: 0.3 });
  const unlikely = { ...byWords, likelihood: 0.02 };
  expect(quotationByMeaning(unlikely, { ...meant, ahead: 2.5 })).toBe(unlikely);
  expect(quotationByMeaning(unlikely, { ...meant, text: "слова", ahead: 2.5 })!.likelihood).toBeGreaterThan(0.1);
  expect(quotationByMeaning(null, { ...meant, ahead: 3.1 })!.likelihood).toBeLessThan(0.2);
});
