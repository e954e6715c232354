import { expect, test } from "vitest";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/factories/invented-people.ts";
import { auc } from "./auc.ts";
import { calibrate, probability } from "./calibration.ts";
import { isRough, missingEvidence } from "./evidence.ts";
import { distort } from "./features.ts";
import { MAX_JUDGED_REPLIES, trainJudge } from "./fidelity.ts";
import { normalise } from "./normalise.ts";
import { shuffled } from "./verifier.ts";

const evidence = {
  own: messagesOf(OWNER, 160, "own"),
  held: messagesOf(OWNER, 60, "held"),
  memory: [],
  people: new Map(OTHERS.map((habits, at) => [String(at), messagesOf(habits, 60, `person ${at}`)])),
};

test("the owner's own messages are like the owner; a stranger's, a repeated phrase and shuffled words are not", () => {
  const random = seededRandom("judge");
  const judge = trainJudge(evidence, random);
  const later = messagesOf(OWNER, MAX_JUDGED_REPLIES, "later");
  const own = judge.judge(later);
  expect(own.value).toBeGreaterThan(0.75);
  expect(own.low).toBeLessThanOrEqual(own.value);
  expect(own.high).toBeGreaterThanOrEqual(own.value);
  expect(judge.ceiling().value).toBeGreaterThan(0.75);
  expect(judge.floor().value).toBeLessThan(0.3);
  const stranger = { opener: ["уважаемый,"], end: ["."], lower: false, filler: "разумеется" };
  expect(judge.judge(messagesOf(stranger, MAX_JUDGED_REPLIES, "stranger")).value).toBeLessThan(0.2);
  expect(judge.judge(Array<string>(MAX_JUDGED_REPLIES).fill("ну короче ага)))")).value).toBeLessThan(0.05);
  const scrambled = later.map((text) => shuffled(text.split(" "), random).join(" "));
  expect(judge.judge(scrambled).value).toBeLessThan(own.value / 2);
});

const few = {
  own: evidence.own.slice(0, 60),
  held: evidence.held.slice(0, 25),
  memory: [],
  people: new Map([...evidence.people].slice(0, 3)),
};

test("too little of the owner, of true replies or of other people gives no measure, and a little more a rough one", () => {
  expect([missingEvidence(evidence), isRough(evidence)]).toEqual([null, false]);
  expect([missingEvidence(few), isRough(few)]).toEqual([null, true]);
  expect(missingEvidence({ ...few, own: few.own.slice(0, 39) })).toBe("own");
  expect(missingEvidence({ ...few, held: few.held.slice(0, 19) })).toBe("held");
  expect(missingEvidence({ ...few, people: new Map([...few.people].slice(0, 2)) })).toBe("people");
  expect(isRough({ ...evidence, own: evidence.own.slice(0, 99) })).toBe(true);
  expect(isRough({ ...evidence, held: evidence.held.slice(0, 39) })).toBe(true);
  expect(isRough({ ...evidence, people: new Map([...evidence.people].slice(0, 5)) })).toBe(true);
});

test("three people and sixty messages give a figure with wider bounds than enough messages do", () => {
  const random = seededRandom("rough");
  const [rough, sure] = [trainJudge(few, random), trainJudge(evidence, random)];
  const later = messagesOf(OWNER, MAX_JUDGED_REPLIES, "later");
  const strangers = messagesOf(OTHERS[4]!, MAX_JUDGED_REPLIES, "stranger");
  const [own, stranger] = [rough.judge(later.slice(0, 25)), rough.judge(strangers.slice(0, 25))];
  expect(own.value).toBeGreaterThan(stranger.value + 0.3);
  for (const [little, enough] of [
    [own, sure.judge(later)],
    [stranger, sure.judge(strangers)],
  ] as const) {
    expect(little.high - little.low).toBeGreaterThan(0.08);
    expect(little.high - little.low).toBeGreaterThan(enough.high - enough.low);
    expect(little.low).toBeLessThanOrEqual(enough.value);
    expect(little.high).toBeGreaterThanOrEqual(enough.value);
  }
});

test("topics and names become placeholders, and manner stays", () => {
  expect(normalise("Vera: смотри https://a.example/x?y=1, в 18:30 ждууу)))", { nicks: true })).toBe(
    "смотри \u2398 в 0:0 ждууу)))",
  );
  expect(normalise("итак: начнём")).toBe("итак: начнём");
  expect(distort("Мы едем в Суздаль!", new Set(["мы", "в"]))).toBe("Мы **** в #******!");
});

test("tied scores share the area under the curve, and the calibrated probability rises with the score", () => {
  expect(auc([3, 2], [1, 0])).toBe(1);
  expect(auc([1, 1], [1, 1])).toBe(0.5);
  expect(auc([2, 0], [1])).toBe(0.5);
  const fitted = calibrate([2, 3, 4, 1], [-2, -1, -3, -4, 0, -2]);
  expect(probability(fitted, 3)).toBeGreaterThan(0.8);
  expect(probability(fitted, -3)).toBeLessThan(0.2);
  expect(probability(fitted, 1e6)).toBe(0.98);
});
