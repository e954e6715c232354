import { expect, test } from "vitest";
import { seededRandom } from "#server/seeded-random.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/invented-people.ts";
import { auc } from "./auc.ts";
import { calibrate, probability } from "./calibration.ts";
import { distort } from "./features.ts";
import { JUDGED, lacking, trainJudge } from "./fidelity.ts";
import { normalise } from "./normalise.ts";
import { shuffled } from "./verifier.ts";

const evidence = {
  own: messagesOf(OWNER, 160, "own"),
  held: messagesOf(OWNER, 60, "held"),
  people: new Map(OTHERS.map((habits, at) => [String(at), messagesOf(habits, 60, `person ${at}`)])),
};

test("the owner's own messages are like the owner, a stranger's, a mantra and shuffled words are not", () => {
  const random = seededRandom("judge");
  const judge = trainJudge(evidence, random);
  const later = messagesOf(OWNER, JUDGED, "later");
  const own = judge.judge(later);
  expect(own.value).toBeGreaterThan(0.75);
  expect(own.low).toBeLessThanOrEqual(own.value);
  expect(own.high).toBeGreaterThanOrEqual(own.value);
  expect(judge.ceiling().value).toBeGreaterThan(0.75);
  expect(judge.floor().value).toBeLessThan(0.3);
  const stranger = { opener: ["уважаемый,"], end: ["."], lower: false, filler: "разумеется" };
  expect(judge.judge(messagesOf(stranger, JUDGED, "stranger")).value).toBeLessThan(0.2);
  expect(judge.judge(Array<string>(JUDGED).fill("ну короче ага)))")).value).toBeLessThan(0.05);
  const scrambled = later.map((text) => shuffled(text.split(" "), random).join(" "));
  expect(judge.judge(scrambled).value).toBeLessThan(own.value / 2);
});

test("too little of the owner, of true replies or of other people is no measure", () => {
  const few = new Map([...evidence.people].slice(0, 5));
  expect(lacking(evidence)).toBeNull();
  expect(lacking({ ...evidence, own: evidence.own.slice(0, 99) })).toBe("own");
  expect(lacking({ ...evidence, held: evidence.held.slice(0, 39) })).toBe("held");
  expect(lacking({ ...evidence, people: few })).toBe("people");
});

test("what is topic or a name becomes a placeholder, what is manner stays", () => {
  expect(normalise("Vera: смотри https://a.example/x?y=1, в 18:30 ждууу)))", { nicks: true })).toBe(
    "смотри \u2398 в 0:0 ждууу)))",
  );
  expect(normalise("итак: начнём")).toBe("итак: начнём");
  expect(distort("Мы едем в Суздаль!", new Set(["мы", "в"]))).toBe("Мы **** в #******!");
});

test("the area under the curve shares ties, and calibration is a probability that rises with the score", () => {
  expect(auc([3, 2], [1, 0])).toBe(1);
  expect(auc([1, 1], [1, 1])).toBe(0.5);
  expect(auc([2, 0], [1])).toBe(0.5);
  const fitted = calibrate([2, 3, 4, 1], [-2, -1, -3, -4, 0, -2]);
  expect(probability(fitted, 3)).toBeGreaterThan(0.8);
  expect(probability(fitted, -3)).toBeLessThan(0.2);
  expect(probability(fitted, 1e6)).toBe(0.98);
});
