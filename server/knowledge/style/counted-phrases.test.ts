import { describe, expect, test } from "vitest";
import { findPhrases, type PhraseKind, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { countedPhrases, type Occasion } from "./counted-phrases.ts";
import { measureStyle } from "./style-profile.ts";

const HEARD_ALL: Occasion = {
  opens: true,
  heard: new Set<PhraseKind>(["thanks", "howAreYou", "greeting"]),
  follows: true,
};
const IN_THE_MIDDLE: Occasion = { opens: false, heard: new Set(), follows: false };

function counted(text: string, kind: PhraseKind, occasion = HEARD_ALL): string[] {
  const words = wordsOf(text);
  return countedPhrases(text, { words, phrases: findPhrases(words) }, occasion)
    .filter(({ phrase }) => phrase.kind === kind)
    .map(({ phrase }) => phrase.text);
}

test.each([
  ["пока", true],
  ["ну все, пока)", true],
  ["спасибо, пока", true],
  ["ладно давай пока", true],
  ["До завтра! Пока", true],
  ["пока Маш", true],
  ["хорошего дня, Анна Сергеевна!", true],
  ["удачи вам", true],
  ["побежала на работу, вечером напишу, пока", true],
  ["Не ругай пока", false],
  ["пока нет", false],
  ["пока еще", false],
  ["пока так", false],
  ["я пока", false],
  ["хорошо пока", false],
  ["посиди там пока", false],
  ["не знаю пока", false],
  ["подожди до завтра", false],
  ["я на связи", false],
  ["на связи?", false],
])("«%s»: a farewell where its clause parts and says nothing else: %s", (text, parts) => {
  expect(counted(text, "farewell").length > 0).toBe(parts);
});

describe("a filler", () => {
  test.each([
    ["короче я пошел", "короче"],
    ["ну короче вт и чт", "короче"],
    ["слушай, скинь фотки", "слушай"],
    ["слушай а ты где", "слушай"],
    ["Он, знаешь, обиделся", "знаешь"],
    ["значит так", "значит"],
    ["он типа занят", "типа"],
    ["я как бы не против", null],
    ["он как бы обещал", "как бы"],
    ["So, try nmap", "so"],
    ["it is kind of slow", "kind of"],
  ])("is one where it is put in: «%s» has %s", (text, filler) => {
    expect(counted(text, "filler").filter((found) => found !== "ну")).toEqual(filler === null ? [] : [filler]);
  });

  test.each([
    "говорите короче",
    "что значит этот вид",
    "а ты знаешь, что он женат",
    "сам знаешь",
    "меня слушай",
    "не смотри туда",
    "он все-таки пришел",
    "видимо-невидимо народу",
    "вещи нового типа",
    "как бы то ни было",
    "as well",
    "it looks like a bug",
    "what kind of card is it",
  ])("is none where the same words say something: «%s»", (text) => {
    expect(counted(text, "filler")).toEqual([]);
  });
});

test.each([
  ["ну чё там", ["че"]],
  ["rm -r foo", []],
  ["see /r/ubuntu", []],
  ["$(uname -r)", []],
  ["Не-ве-ле-ща-гин", []],
  ["едем к Оке завтра", []],
  ["почему-то не идет", []],
])("a spelling of speech is a word of its own: «%s»", (text, found) => {
  expect(counted(text, "colloquial")).toEqual(found);
});

test.each<[text: string, kind: PhraseKind, counts: boolean]>([
  ["ок, скину", "agreement", true],
  ["так, точно он", "agreement", false],
  ["идет боярин", "agreement", false],
  ["все хорошо", "agreement", false],
  ["not sure", "agreement", false],
  ["понял", "acknowledgement", true],
  ["понял?", "acknowledgement", false],
  ["все пилюли принял", "acknowledgement", false],
  ["Ясно, что не успеем", "acknowledgement", false],
  ["хз)", "unsure", true],
  ["не знаю, как сказать", "unsure", false],
  ["я не знаю вас", "unsure", false],
])("«%s» as %s: %s", (text, kind, counts) => {
  expect(counted(text, kind).length > 0).toBe(counts);
});

describe("phrases that depend on the messages before", () => {
  test.each<[text: string, kind: PhraseKind]>([
    ["привет мужу", "greeting"],
    ["здорово", "greeting"],
    ["пожалуйста, посмотри", "welcome"],
    ["супер", "wellbeing"],
  ])("in the middle of a talk «%s» is no %s", (text, kind) => {
    expect(counted(text, kind, HEARD_ALL)).toHaveLength(1);
    expect(counted(text, kind, IN_THE_MIDDLE)).toEqual([]);
  });

  test("«передай привет» is not a greeting even at the beginning of a conversation", () => {
    expect(counted("передай привет", "greeting")).toEqual([]);
    expect(counted("Глеб, добрый день!", "greeting")).toEqual(["добрый день"]);
  });
});

/** A fictional accountant: words that a list might count wrongly, and phrases that she really uses. */
test("a sample owner's lists contain her phrases and nothing that only resembles them", () => {
  const START = Date.parse("2026-02-02T08:00:00Z");
  const lines = [
    "> Добрый день! Подскажите по отчету",
    "Добрый день, Ирина!",
    "короче, акт у меня, он все-таки нашелся",
    "> спасибо большое",
    "не за что)",
    "*за так",
    "привет мужу",
    "> а счет оплачен?",
    "пока нет, чё торопиться",
    "посмотрите пожалуйста почту",
    "> когда будет?",
    "подожди до завтра, что значит этот платеж я не знаю",
    "> Хорошо, до свидания",
    "до свидания, хорошего вечера!",
  ];
  const profile = measureStyle(
    lines.map((line, at) => ({
      text: line.replace("> ", ""),
      fromOwner: !line.startsWith("> "),
      sentAt: new Date(START + at * 60_000),
      chatId: "ирина",
    })),
  );
  const texts = (top: readonly { text: string }[]) => top.map(({ text }) => text).sort();
  expect(texts(profile.greetings.top)).toEqual(["добрый день"]);
  expect(texts(profile.farewells.top)).toEqual(["до свидания", "хорошего вечера"]);
  expect(profile.farewells.back).toBe(1);
  expect(texts(profile.fillers.top)).toEqual(["короче"]);
  expect(texts(profile.colloquial.top)).toEqual(["чё"]);
  expect(texts(profile.phrases.welcome)).toEqual(["не за что"]);
  expect(texts(profile.phrases.unsure)).toEqual([]);
  expect(profile.setPhrases?.farewell).toEqual([{ text: "до свидания, хорошего вечера!", count: 1 }]);
  expect(profile.typos?.mended.share).toBeCloseTo(1 / 9, 3);
});
