import { describe, expect, test } from "vitest";
import { startCpuTime } from "#server/test/cpu-time.ts";
import { Detector } from "./detector.ts";
import { NearDuplicates } from "./near-duplicates.ts";
import { type CandidatePair, recurringOf } from "./recurring.ts";

const pairs = (...said: [person: number, incoming: string, reply: string][]): CandidatePair[] =>
  said.map(([person, incoming, reply], at) => ({ id: at + 1, person, incoming, reply }));

const HOURS: [number, string, string][] = [
  [1, "Подскажите, во сколько открываетесь?", "Мы открыты с десяти утра каждый день"],
  [2, "Во сколько вы открываетесь, скажите", "Открыты мы с десяти утра, каждый день!"],
  [3, "а во сколько открываетесь", "мы открыты каждый день с десяти утра)"],
];

function alike(texts: readonly (readonly [person: number, text: string])[]) {
  const found = new NearDuplicates();
  for (const [at, [person, text]] of texts.entries()) found.add(at + 1, person, text);
  return found.clusters();
}

describe("texts are similar", () => {
  test("whatever their punctuation, order, endings and small words; others are not", () => {
    const sets = alike([
      ...HOURS.map(([person, , reply]) => [person, reply] as const),
      [4, "Открыты только по выходным, утром спим"],
      [5, "да, конечно"],
      [6, "да, конечно"],
    ]);
    expect(sets.map(({ ids, people }) => ({ ids: ids.toSorted(), people }))).toEqual([{ ids: [1, 2, 3], people: 3 }]);
  });

  test("for one person only, when one person received them twice", () => {
    expect(alike([1, 1, 1].map((person) => [person, "Мы открыты с десяти утра"] as const))).toEqual([]);
  });

  test("in thousands of texts, which are not all compared with each other", () => {
    const many = new NearDuplicates();
    const cpuMs = startCpuTime();
    for (let id = 0; id < 8_000; id++)
      many.add(id, id % 500, `слово${id % 997} слово${id % 1009} слово${id % 1013} общее начало каждой фразы`);
    many.clusters();
    // Comparing every pair would take 32 million comparisons.
    expect(cpuMs()).toBeLessThan(8000);
  });
});

describe("what may be published of similar replies", () => {
  test("is opened by three people, with only those words that three of them used", () => {
    const [told, ...more] = recurringOf(pairs(...HOURS));
    expect(more).toEqual([]);
    expect(told).toMatchObject({ people: 3, witnesses: [1, 2, 3], question: "во сколько открываетесь" });
    expect(HOURS.map(([, , reply]) => reply)).toContain(told!.reply);
  });

  test("is not opened by two people, however often they were told", () => {
    expect(recurringOf(pairs(HOURS[0]!, HOURS[1]!, HOURS[0]!, HOURS[1]!))).toEqual([]);
  });

  test("holds no detail that only one of them was told or asked with", () => {
    const said = pairs(...HOURS, [
      4,
      "Во сколько открываетесь, пока жена в больнице?",
      "Мы открыты с десяти утра каждый день, любимая",
    ]);
    const [told] = recurringOf(said);
    expect(told).toMatchObject({ people: 4 });
    expect(told!.reply).not.toMatch(/любим/);
    expect(told!.question).toBe("во сколько открываетесь");
    // Each reply contains an individual detail, so nothing can be published.
    const own = ["ключ под ковриком", "муж пьет", "диагноз страшный"];
    const detailed = HOURS.map(([p, q, r], at): [number, string, string] => [p, q, `${r}, ${own[at]}`]);
    expect(recurringOf(pairs(...detailed))).toEqual([]);
  });

  test("is not opened where the same reply answers different questions", () => {
    const reply = "Хорошо, сейчас посмотрю и отвечу";
    const said = pairs([1, "Пришел ли мой заказ?", reply], [2, "Ты видел отчет?", reply], [3, "Что с кошкой?", reply]);
    expect(recurringOf(said)).toEqual([]);
  });
});

test("the newest pairs of each person are read, of as many people as there are", () => {
  const detector = new Detector();
  const ids = Array.from({ length: 40 }, (_, at) => at + 1);
  detector.add({
    ids,
    people: ids.map((id) => (id <= 30 ? 1 : id)),
    incoming: ids.map(() => HOURS[0]![1]),
    replies: ids.map(() => HOURS[0]![2]),
  });
  const { said } = detector.choose();
  expect(said).toMatchObject([{ people: 11 }]);
  expect(said[0]!.ids).toHaveLength(12);
});
