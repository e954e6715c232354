import { expect, test } from "vitest";
import { auc } from "#server/answers/fidelity/auc.ts";
import { OwnersStyleAccumulator } from "#server/knowledge/style/style-groups.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/factories/invented-people.ts";
import { learnScorer } from "./learn-scorer.ts";
import { scoreTurn } from "./score-turn.ts";
import { type OwnersScorer, scorerOf } from "./stored-scorer.ts";
import { TurnSample } from "./turn-sample.ts";

const turns = (texts: readonly string[], contactId: number | null = null) => texts.map((text) => ({ text, contactId }));
const own = messagesOf(OWNER, 300, "known");
const others = OTHERS.flatMap((habits, at) => messagesOf(habits, 60, `other ${at}`));
const learnt = learnScorer({ own: turns(own), others: turns(others) }, new Map())!;
const scorer = scorerOf({ scorer: learnt }, null)!;
const values = (texts: readonly string[]) => texts.map((text) => scoreTurn(text, scorer).value);
const middle = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;

test("unseen turns of the owner score higher than other people's turns on the same subject", () => {
  const later = values(messagesOf(OWNER, 100, "later"));
  const strangers = values(OTHERS.flatMap((habits, at) => messagesOf(habits, 20, `unread ${at}`)));
  expect(auc(later, strangers)).toBeGreaterThan(0.9);
});

test("an exaggeration of the owner's habits scores lower than his own turns, although it resembles him more than others", () => {
  const his = messagesOf(OWNER, 100, "his");
  const caricature = "ну слушай, кстати короче ну короче))) ну)))";
  const nearness = his.map((text) => scoreTurn(text, scorer).nearness);
  expect(scoreTurn(caricature, scorer).nearness).toBeGreaterThan(middle(nearness));
  expect(scoreTurn(caricature, scorer).typicality).toBeLessThan(0.5);
  expect(scoreTurn(caricature, scorer).value).toBeLessThan(middle(values(his)));
  expect(middle(his.map((text) => scoreTurn(text, scorer).typicality))).toBe(1);
});

test("habits change the score and subjects do not, and the stored scorer contains no subject words", () => {
  const [one, other] = ["ну поезд готов)))", "ну отель готов)))"].map((text) => scoreTurn(text, scorer));
  expect(one).toEqual(other);
  expect(JSON.stringify(learnt)).not.toMatch(/\p{Script=Cyrillic}/u);
  const size = JSON.stringify({ ...learnt, groups: {} }).length;
  expect(size).toBeLessThan(12_000);
});

test("a group to which the owner writes differently has its own scorer, and with too few turns there is none", () => {
  const polite = Array.from(
    { length: 120 },
    (_, at) =>
      `Добрый день. ${["Счёт отправили.", "Документы по заказу отправили Вам на почту.", "Уточним у коллег."][at % 3]}`,
  );
  const both = learnScorer(
    { own: [...turns(own, 1), ...turns(polite, 2)], others: turns(others) },
    new Map([
      [1, "ты1"],
      [2, "вы2"],
    ]),
  )!;
  const [friend, client] = ["ты1", "вы2"].map((group) => scorerOf({ scorer: both }, group)!);
  const reply = "Добрый день. Счёт отправим Вам завтра.";
  expect(scoreTurn(reply, client!).value).toBeGreaterThan(scoreTurn(reply, friend!).value + 0.3);
  expect(scorerOf({ scorer: both }, "нет такой")).toEqual(scorerOf({ scorer: both }, null));
  expect(learnScorer({ own: turns(own.slice(0, 40)), others: turns(others) }, new Map())).toBeNull();
  expect(learnScorer({ own: turns(own), others: turns(others.slice(0, 40)) }, new Map())).toBeNull();
});

test("a scorer of another version, or without one, is ignored", () => {
  for (const stored of [
    null,
    {},
    { scorer: null },
    { scorer: { ...learnt, version: 2 } },
    { scorer: { ...learnt, weights: [1] } },
  ])
    expect(scorerOf(stored, null)).toBeNull();
  expect(scorerOf(JSON.parse(JSON.stringify({ scorer: learnt })), null)).toEqual(scorer);
});

test("messages in quick succession are one turn, and the sample of a long history is bounded and reproducible", () => {
  const line = (text: string, minute: number, fromOwner = true) => ({
    ...{ text, fromOwner, sentAt: new Date(minute * 60_000), chatId: 1, contactId: 7 },
  });
  const sample = new TurnSample();
  for (const one of [line("привет", 0), line("ты где", 1), line("тут", 2, false), line("ага", 30), line("иду", 60)])
    sample.add(one);
  expect(sample.turns()).toEqual({
    own: ["привет\nты где", "ага", "иду"].map((text) => ({ text, contactId: 7 })),
    others: [{ text: "тут", contactId: 7 }],
  });
  const long = () => {
    const all = new TurnSample();
    for (let at = 0; at < 20_000; at++) all.add(line(`сообщение ${at}`, at * 10));
    return all.turns().own;
  };
  expect(long()).toHaveLength(2500);
  expect(long()).toEqual(long());
  // The sample covers the whole history.
  expect(long().filter(({ text }) => Number(text.split(" ")[1]) > 10_000).length).toBeGreaterThan(1000);
});

test("a measured style contains the scorer of its own history", () => {
  const measure = (texts: readonly string[]): OwnersScorer | null => {
    const accumulator = new OwnersStyleAccumulator();
    let at = 0;
    for (const text of texts)
      accumulator.add({ text, sentAt: new Date(++at * 600_000), fromOwner: true, chatId: 1, contactId: 1 });
    for (const text of others)
      accumulator.add({ text, sentAt: new Date(++at * 600_000), fromOwner: false, chatId: 1, contactId: 1 });
    return accumulator.result().style.scorer;
  };
  const [half, whole] = [measure(own.slice(0, 150)), measure(own)];
  expect(half).not.toBeNull();
  expect(half).not.toEqual(whole);
  expect(measure(own.slice(0, 150))).toEqual(half);
});
