import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StyleProfile } from "#contract/quality.ts";
import { randomRuns } from "#server/test/random-runs.ts";
import { describeStyle } from "./describe-style.ts";
import { measureStyle, StyleAccumulator, type StyleMessage } from "./style-profile.ts";

const START = Date.parse("2025-03-03T09:00:00Z");

/** «>» marks the contact, anything else the owner; `+N` before a line is a pause of N minutes (1 when absent). */
function talk(lines: string[], chatId = "маша"): StyleMessage[] {
  let at = START;
  return lines.map((line) => {
    const [, pause, incoming, text] = /^(?:\+(\d+) )?(> )?(.*)$/s.exec(line)!;
    at += Number(pause ?? 1) * 60_000;
    return { text: text!, sentAt: new Date(at), fromOwner: incoming === undefined, chatId };
  });
}

const casual = talk([
  "> привет! как дела?",
  "привет)",
  "норм)) а у тебя?",
  "> тоже, когда приедешь",
  "+3 ну я щас выезжаю...",
  "кстати ты ключи взяла?",
  "> да",
  "супер)))",
  "+600 > слушай, скинь фотки",
  "ок, щас скину 🙂",
  "> спасибо, пока",
  "не за что, пока)",
]);
const formal = talk(
  [
    "> Добрый день!",
    "Добрый день, Анна Сергеевна! Отправляю вам договор.",
    "> Получила, спасибо.",
    "Пожалуйста, обращайтесь.",
    "+800 > Ещё вопрос по счёту",
    "Сообщите, пожалуйста, номер счёта — проверим «в ручном режиме».",
  ],
  "анна",
);

describe("the style profile", () => {
  test("what the owner adds more than two minutes later is no part of his reply", () => {
    const { turn } = measureStyle(talk(["> привет", "привет", "как дела?", "+10 кстати завтра не смогу", "> ок"]));
    expect(turn).toMatchObject({ messages: 1.5, several: 0.5 });
  });

  test("measures a casual writer", () => {
    const profile = measureStyle(casual);
    expect(profile).toMatchObject({ version: 1, messages: 7, turns: 5, chats: 1 });
    expect(profile.turn).toMatchObject({ messages: 1.4, several: 0.4 });
    expect(profile.lowerCaseStart.share).toBe(1);
    expect(profile.finalFullStop.share).toBe(0);
    expect(profile.brackets.top.map((one) => one.text)).toEqual(expect.arrayContaining([")", "))", ")))"]));
    expect(profile.brackets.top[0]).toEqual({ text: ")", count: 2 });
    expect(profile.emoji.top).toEqual([{ text: "🙂", count: 1 }]);
    expect(profile.ellipsis.share).toBeCloseTo(1 / 7, 3);
    expect(profile.address.prefers).toBe("ты");
    expect(profile.greetings.top).toEqual([{ text: "привет", count: 1 }]);
    expect(profile.greetings.back).toBe(1);
    expect(profile.farewells).toMatchObject({ back: 1, top: [{ text: "пока", count: 1 }] });
    expect(profile.fillers.top.map((one) => one.text)).toEqual(expect.arrayContaining(["ну", "кстати"]));
    expect(profile.colloquial.top[0]).toEqual({ text: "щас", count: 2 });
    expect(profile.phrases.welcome).toEqual([{ text: "не за что", count: 1 }]);
    expect(profile.replyDelay).toMatchObject({ median: 60 });
    expect(profile.hours?.[12]).toBeGreaterThan(0.5);
  });

  test("measures a formal writer", () => {
    const profile = measureStyle(formal);
    expect(profile.lowerCaseStart.share).toBe(0);
    expect(profile.finalFullStop.share).toBe(1);
    expect(profile.address).toMatchObject({ prefers: "вы", familiar: 0 });
    expect(profile.greetings.top[0]!.text).toBe("добрый день");
    expect(profile.typography).toMatchObject({ yo: 1, longDash: 1, guillemets: 1 });
  });

  test("gives two of the owner's own examples and nothing private", () => {
    const profile = measureStyle([...casual, ...talk(["код 4821 никому)", "пиши на a@b.example)", "секрет)"])]);
    for (const example of profile.brackets.examples)
      expect([...casual.map((message) => message.text), "секрет)"]).toContain(example);
    expect(profile.brackets.examples).toHaveLength(2);
    expect(JSON.stringify(profile)).not.toMatch(/4821|a@b/);
    expect(measureStyle(talk([`${"очень ".repeat(60)}длинно`])).length.examples[0]!.length).toBeLessThanOrEqual(160);
  });

  test("distinguishes uncorrected misspellings from corrected ones, and shows answers with their delays", () => {
    const { typos, further } = measureStyle([
      ...talk([
        "> ты где?",
        "+3 незнаю",
        "*не знаю",
        "вобщем буду готовится",
        "можно учиться и плыть",
        "нефть, малыш, финиш",
      ]),
      ...talk(["+700 > ау", "+4 а тут незнаю что сказать"]),
    ]);
    expect(typos).toMatchObject({
      share: 0.5,
      top: [
        { text: "незнаю", count: 2 },
        { text: "вобщем", count: 1 },
        { text: "готовится", count: 1 },
      ],
      examples: ["а тут незнаю что сказать", "вобщем буду готовится"],
      mended: { share: 0.1667, examples: ["*не знаю"] },
    });
    expect(further?.replyDelay).toEqual([
      { text: "а тут незнаю что сказать", seconds: 240 },
      { text: "незнаю", seconds: 180 },
    ]);
    expect(further?.hours[0]).toEqual({ text: "нефть, малыш, финиш", minutes: 12 * 60 + 8 });
    expect(further?.functionWords).toEqual(["а тут незнаю что сказать"]);
  });

  test("keeps messages that consist of a set phrase, as typed", () => {
    const { setPhrases } = measureStyle(
      talk([
        "ага, понял)",
        "ага, понял)",
        "Ок",
        "хз))",
        "не знаю, спроси у Лены",
        "понял, буду в 18:30",
        "пока",
        "привет, как дела",
      ]),
    );
    expect(setPhrases).toEqual({
      greeting: [],
      farewell: [{ text: "пока", count: 1 }],
      welcome: [],
      acknowledgement: [
        { text: "ага, понял)", count: 2 },
        { text: "Ок", count: 1 },
      ],
      unsure: [{ text: "хз))", count: 1 }],
      deferral: [],
    });
  });

  test("counts only the owner's messages", () => {
    expect(measureStyle(casual.map((message) => ({ ...message, fromOwner: false })))).toMatchObject({
      messages: 0,
      turns: 0,
      replyDelay: null,
    });
  });

  test("has zeros and nulls for an owner without messages", () => {
    const profile = measureStyle([]);
    expect(StyleProfile.parse(profile)).toEqual(profile);
    expect(profile).toMatchObject({ messages: 0, hours: null, address: { prefers: null } });
    expect(describeStyle(profile)).toBe("О манере письма пока ничего не известно: нет ни одного сообщения владельца.");
  });

  test("keeps interleaved chats apart", () => {
    const [one, other] = [talk(["> а", "б", "> в", "г"], "1"), talk(["> а", "б", "б", "б"], "2")];
    const mixed = one.flatMap((message, i) => [message, other[i]!]);
    expect(measureStyle(mixed)).toMatchObject({ turns: 3, chats: 2 });
  });

  test("can be read in between without ending a turn", () => {
    const accumulator = new StyleAccumulator();
    for (const message of casual) {
      accumulator.add(message);
      accumulator.result();
    }
    expect(accumulator.result()).toEqual(measureStyle(casual));
  });

  test("accepts any text and time and matches the contract's schema", () => {
    const message = fc.record({
      text: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("))", "👨‍👩‍👧", "1️⃣", "\ud800", "привет")),
      sentAt: fc.option(fc.date({ noInvalidDate: false })),
      fromOwner: fc.boolean(),
      chatId: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const profile = measureStyle(messages);
        expect(StyleProfile.parse(JSON.parse(JSON.stringify(profile)))).toEqual(profile);
        expect(describeStyle(profile)).not.toMatch(/NaN|undefined|null/);
      }),
      { numRuns: randomRuns(300) },
    );
  });
});

test("the description is plain Russian and contains nothing of the messages", () => {
  const text = describeStyle(measureStyle(casual));
  expect(text).toContain("Вы пишете коротко: половина сообщений не длиннее");
  expect(text).toContain("Начинаете со строчной буквы. Точку в конце не ставите.");
  expect(text).toContain("«ты»");
  expect(text).not.toMatch(/ключи|фотки/);
  expect(describeStyle(measureStyle(formal))).toContain("Начинаете с заглавной буквы. Точку в конце ставите.");
});

test("what the owner has said counts where words do, and changes nothing of how he types", () => {
  const at = (minutes: number) => new Date(1_700_000_000_000 + minutes * 60_000);
  const line = (minutes: number, text: string, more: Partial<StyleMessage> = {}): StyleMessage => ({
    ...{ text, sentAt: at(minutes), fromOwner: true, chatId: 1 },
    ...more,
  });
  const typed = [
    line(0, "Когда привезёте?", { fromOwner: false }),
    line(1, "завтра к вечеру )"),
    line(100, "А цена?", { fromOwner: false }),
    line(101, "триста рублей"),
  ];
  const spoken = line(
    50,
    "Ну короче, я вам сейчас всё расскажу. Вы знаете, типа это очень долго!!! Незнаю даже… «Так».",
    {
      said: true,
    },
  );
  const [before, after] = [measureStyle(typed), measureStyle([typed[0]!, typed[1]!, spoken, typed[2]!, typed[3]!])];
  const typing = [
    ...[
      "messages",
      "turns",
      "turn",
      "length",
      "lowerCaseStart",
      "finalFullStop",
      "exclamation",
      "question",
      "ellipsis",
    ],
    ...["brackets", "emoji", "typos", "setPhrases", "latin", "typography", "replyDelay", "hours"],
  ] as const;
  for (const name of typing)
    expect(after[name as keyof StyleProfile], name).toEqual(before[name as keyof StyleProfile]);
  expect(after.address).toMatchObject({ addressed: before.address.addressed + 1, prefers: "вы" });
  expect(after.fillers.top.map(({ text }) => text)).toContain("короче");
  expect(after.fillers).toMatchObject({ share: 0.3333, examples: [] });
  expect(after.functionWords.length).toBeGreaterThan(before.functionWords.length);
  expect(JSON.stringify(after)).not.toContain("расскажу");
});
