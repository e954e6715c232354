import { expect, test } from "vitest";
import type { StyleProfile, TwinQuality } from "#contract/quality.ts";
import { traitsOf } from "./traits.ts";

const none = { share: 0, top: [], examples: [] };
const hours = Array.from({ length: 24 }, (_, hour) => (hour === 22 ? 0.54 : 0.02));
const profile = {
  messages: 400,
  length: { words: 5 },
  turn: { several: 0.5 },
  brackets: { share: 0.31, top: [{ text: ")))", count: 120 }], examples: [] },
  emoji: none,
  fillers: { share: 0.2, top: [{ text: "короче", count: 40 }], examples: [] },
  colloquial: {
    share: 0.2,
    top: [
      { text: "щас", count: 30 },
      { text: "ваще", count: 2 },
    ],
    examples: [],
  },
  favourites: [
    { text: "зацени", count: 14 },
    { text: "короче", count: 40 },
  ],
  openers: {
    share: 0.2,
    top: [
      { text: "короче", count: 12 },
      { text: "ну", count: 9 },
    ],
    examples: [],
  },
  address: { addressed: 90, familiar: 0.9, prefers: "ты" },
  hours,
} as unknown as StyleProfile;
const group = (address: "ты" | "вы", contacts: number) =>
  ({ key: address, address, contacts, names: ["Секретная Мария"], profile }) as TwinQuality["groups"][number];
const shown = (quality: Pick<TwinQuality, "profile" | "groups">) =>
  traitsOf(quality)!.list.map(({ value, text }) => `${value} ${text}`.replaceAll("\u00a0", " "));

test("a portrait tells the length, the smile, the favourite words, «ты» and «вы» by contact, and the hours", () => {
  expect(shown({ profile, groups: [group("ты", 5), group("вы", 1)] })).toEqual([
    "5 слов в обычном сообщении, часто несколькими сообщениями подряд",
    "скобки ))) улыбка в 31% сообщений",
    "«зацени» а ещё «короче»",
    "чаще «ты» с 5 собеседниками на «ты», с 1 собеседником на «вы»",
    "22:00–23:00 пишете больше всего, это 54% сообщений",
  ]);
});

test("what was not measured is not claimed", () => {
  const bare = {
    ...profile,
    turn: { several: 0 },
    brackets: none,
    fillers: none,
    colloquial: none,
    openers: none,
    favourites: [],
    hours: null,
    address: { addressed: 0, familiar: null, prefers: null },
  } as unknown as StyleProfile;
  expect(shown({ profile: bare, groups: [] })).toEqual([
    "5 слов в обычном сообщении",
    "без них скобок и эмодзи почти нет",
    "своих нет вы пишете теми же словами, что и ваши собеседники",
  ]);
  // A trait marked `none` is left out of a picture for others.
  expect(traitsOf({ profile: bare, groups: [] })!.list.filter(({ none }) => none)).toHaveLength(1);
});

test("favourite words are those that the owner writes more than others do; a profile of before shows his habits of speech alone", () => {
  const { favourites: _none, ...before } = profile;
  const words = (one: StyleProfile) => shown({ profile: one, groups: [] }).find((trait) => trait.includes("«"));
  const one = { ...profile, favourites: [{ text: "погнали", count: 5 }] };
  expect(words(one)).toBe("«погнали» вы пишете чаще, чем ваши собеседники; в ходу и «короче», «щас»");
  const silent = { ...one, fillers: none, colloquial: none } as unknown as StyleProfile;
  expect(words(silent)).toBe("«погнали» вы пишете чаще, чем ваши собеседники");
  // «ну» opens messages and «да» answers them, so neither is listed.
  expect(words(before as StyleProfile)).toBe("«короче» а ещё «щас»");
});

test("a smile of one bracket is named, so that it does not read as a misprint", () => {
  const smiling = (text: string) => {
    const brackets = { share: 0.3, top: [{ text, count: 9 }], examples: [] };
    return shown({ profile: { ...profile, brackets } as StyleProfile, groups: [] })[1];
  };
  expect(smiling(")")).toContain("скобка )");
  expect(smiling(":)")).toContain("смайлик :)");
});

test("a few messages make no portrait", () => {
  expect(traitsOf({ profile: { ...profile, messages: 19 }, groups: [] })).toBeNull();
  expect(traitsOf({ profile: null, groups: [] })).toBeNull();
});

test("no contact's name gets into it", () => {
  const traits = traitsOf({ profile, groups: [group("ты", 5), group("вы", 1)] });
  expect(JSON.stringify(traits)).not.toContain("Мария");
});

test("what is shown to others speaks of the owner, never to him", () => {
  const one = { ...profile, favourites: [{ text: "погнали", count: 5 }], fillers: none, colloquial: none };
  const { list } = traitsOf({ profile: one as unknown as StyleProfile, groups: [group("ты", 5)] })!;
  const told = list.map(({ text, toOthers = text }) => toOthers.replaceAll("\u00a0", " "));
  expect(told).toContain("чаще, чем у собеседников");
  for (const text of told) expect(text).not.toMatch(/(^|\s)(вы|ваши?|пишете)(\s|$)/);
});
