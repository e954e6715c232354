import { describe, expect, test } from "vitest";
import type { StyleProfile, TwinQuality } from "#contract/quality.ts";
import { boundsOf, frequencyOf } from "./frequency.ts";
import { countOfNeuter, dativeOf, genitive, inMessages } from "./numerals.ts";
import { missingFor, portraitOf } from "./portrait.ts";

const none = { share: 0, examples: [] };
const noForms = { share: 0, top: [], examples: [] };
const counts = (forms: Record<string, number>) => Object.entries(forms).map(([text, count]) => ({ text, count }));

const PLAIN: StyleProfile = {
  version: 1,
  messages: 400,
  turns: 300,
  chats: 6,
  turn: { messages: 1.2, several: 0.2, sentences: 1, characters: { p25: 20, median: 50, p75: 80 }, examples: [] },
  length: { p25: 20, median: 50, p75: 80, words: 9, mostWords: 18, examples: [] },
  lowerCaseStart: { share: 0.01, of: 390, examples: [] },
  finalFullStop: { share: 0.01, of: 350, examples: [] },
  exclamation: { share: 0.1, examples: [] },
  question: none,
  ellipsis: none,
  brackets: { share: 0.02, top: counts({ ")": 2 }), examples: [] },
  emoji: noForms,
  address: { addressed: 0, familiar: null, prefers: null, examples: { familiar: [], polite: [] } },
  greetings: { ...noForms, of: 4, back: null },
  farewells: { ...noForms, back: null },
  fillers: noForms,
  openers: noForms,
  colloquial: noForms,
  phrases: { thanks: [], welcome: [], wellbeing: [], acknowledgement: [], agreement: [], unsure: [] },
  functionWords: [],
  latin: { share: 0, letters: 0, examples: [] },
  typography: { yo: null, longDash: null, guillemets: null, of: { yo: 0, longDash: 0, guillemets: 0 } },
  replyDelay: null,
  hours: null,
};
/** The portrait's paragraphs with plain spaces instead of no-break spaces, which do not matter to these tests. */
const told = (profile: Partial<StyleProfile>, groups: TwinQuality["groups"] = []): string[] =>
  portraitOf({ ...PLAIN, ...profile }, groups)!.paragraphs.map((paragraph) => paragraph.replaceAll("\u00a0", " "));

const hoursAt = (...busy: number[]) =>
  Array.from({ length: 24 }, (_, hour) => (busy.includes(hour) ? 1 / busy.length : 0));

test("for an owner without habits only certain facts are stated", () => {
  expect(told({})).toEqual([
    "Вы пишете не длинно и не коротко: обычно в сообщении девять слов, редко больше восемнадцати.",
    "Начинаете с большой буквы, а точку в конце не ставите.",
  ]);
});

test("words that contacts hardly write are named once, whatever else names them", () => {
  const favourites = counts({ "держим строй!": 6, типа: 9, "без паники": 4, огонь: 2 });
  const fillers = { ...noForms, top: counts({ типа: 9 }) };
  expect(told({ favourites, fillers })[2]).toBe(
    "Любимое словечко — «типа». Чаще собеседников пишете «держим строй!» и «без паники».",
  );
});

test("the two counts of a sentence are both words or both digits", () => {
  expect(told({ length: { ...PLAIN.length, words: 15, mostWords: 25 } })[0]).toMatch(
    /^Вы пишете подробно: обычно в сообщении 15 слов, редко больше 25\./,
  );
});

test("a terse friend recognises himself", () => {
  const text = told({
    turn: { ...PLAIN.turn, several: 0.8 },
    length: { ...PLAIN.length, words: 4, mostWords: 8 },
    lowerCaseStart: { share: 0.99, of: 390, examples: [] },
    exclamation: none,
    brackets: { share: 0.21, top: counts({ ")))": 70, ")": 3 }), examples: [] },
    address: { ...PLAIN.address, addressed: 90, familiar: 1, prefers: "ты" },
    greetings: { share: 0.4, of: 40, back: 1, top: counts({ привет: 9, здарова: 6, прив: 1 }), examples: [] },
    fillers: { share: 0.3, top: counts({ ну: 60, короче: 20, типа: 8, походу: 1 }), examples: [] },
    colloquial: { share: 0.1, top: counts({ чё: 9, норм: 6, типа: 5 }), examples: [] },
    phrases: { ...PLAIN.phrases, agreement: counts({ давай: 12, ок: 9 }), unsure: counts({ хз: 6 }) },
    replyDelay: { p25: 20, median: 50, p75: 7200 },
    hours: hoursAt(19, 20, 21, 22),
  });
  expect(text).toEqual([
    "Вы пишете коротко: обычно в сообщении четыре слова, редко больше восьми. Мысль отправляете по частям, несколькими сообщениями подряд. Отвечаете быстро, обычно за минуту, но бывает, что пропадаете надолго. Пишете в основном вечером (по московскому времени).",
    "Начинаете с маленькой буквы и точку в конце не ставите. Улыбаетесь скобками: «)))» — примерно в каждом пятом сообщении. Восклицательные знаки не любите.",
    "Здороваетесь не всегда, а если здороваетесь, то так: «привет» или «здарова». Любимые словечки — «ну», «короче» и «типа». Пишете, как говорите: «чё» и «норм». Соглашаетесь словом «давай» или «ок», а когда не знаете, так и пишете: «хз».",
    "Почти со всеми вы на «ты».",
  ]);
});

test("a formal manager recognises herself", () => {
  const text = told({
    turn: { ...PLAIN.turn, several: 0.05 },
    length: { ...PLAIN.length, words: 21, mostWords: 44 },
    finalFullStop: { share: 0.99, of: 350, examples: [] },
    brackets: noForms,
    exclamation: none,
    address: { ...PLAIN.address, addressed: 120, familiar: 0, prefers: "вы" },
    greetings: { share: 0.97, of: 60, back: 1, top: counts({ "добрый день": 50, здравствуйте: 12 }), examples: [] },
    farewells: { share: 0.1, back: null, top: counts({ "хорошего дня": 30 }), examples: [] },
    typography: { yo: 1, longDash: 1, guillemets: 1, of: { yo: 20, longDash: 30, guillemets: 3 } },
    hours: hoursAt(9, 10, 11, 12, 14, 15, 16, 17),
  });
  expect(text).toEqual([
    "Вы пишете подробно: обычно в сообщении 21 слово, редко больше 44. Почти всегда укладываетесь в одно сообщение. Пишете днём, а вечером вас почти не застать (по московскому времени).",
    "Начинаете с большой буквы и заканчиваете точкой. Скобок-улыбок и эмодзи у вас почти не встретишь. Восклицательные знаки не любите. Букву «ё» не забываете, ставите длинное тире.",
    "Разговор начинаете с приветствия: «добрый день» или «здравствуйте». Прощаетесь: «хорошего дня».",
    "Почти со всеми вы на «вы».",
  ]);
});

test("an owner who uses emoji sees which", () => {
  const [rhythm, marks] = told({
    length: { ...PLAIN.length, words: 0, mostWords: 3 },
    emoji: { share: 0.7, top: counts({ "😂": 200, "❤️": 90, "👍": 60, "🫠": 2 }), examples: [] },
    exclamation: { share: 0.95, examples: [] },
    ellipsis: { share: 0.3, examples: [] },
  });
  expect(rhythm).toBe("Чаще всего обходитесь без слов: хватает знака или картинки.");
  expect(marks).toContain("Чувства показываете картинкой: 😂 ❤️ 👍 — в большинстве сообщений.");
  expect(marks).toContain("Почти каждое сообщение у вас с восклицательным знаком!");
  expect(marks).toContain("Любите многоточия… Они примерно в каждом третьем сообщении.");
});

test("English is distinguished from Russian in Latin letters", () => {
  const latin = { share: 1, letters: 0.99, examples: [] };
  const english = ["the", "to", "i", "you", "it", "a"].map((text) => ({ text, perMille: 30 }));
  expect(told({ latin, functionWords: english })[0]).toContain("Пишете по-английски.");
  expect(told({ latin })[0]).toContain("Пишете латинскими буквами.");
});

describe("with few messages", () => {
  test("there is no portrait but a note on how many more messages are needed", () => {
    expect(portraitOf({ ...PLAIN, messages: 49 }, [])).toBeNull();
    expect(missingFor(49).replaceAll("\u00a0", " ")).toContain("загрузите ещё 1 сообщение, а лучше больше");
    expect(missingFor(28).replaceAll("\u00a0", " ")).toContain("Пока у двойника 28 ваших сообщений.");
    expect(missingFor(21).replaceAll("\u00a0", " ")).toContain("Пока у двойника 21 ваше сообщение.");
    expect(missingFor(0)).toContain("Загрузите свою переписку");
  });

  test("an unsupported habit is not stated, and a note says that more messages would help", () => {
    const seldom = { share: 0.3, top: counts({ ")": 15 }), examples: [] };
    const few = { messages: 50, turns: 40, lowerCaseStart: { share: 0.5, of: 9, examples: [] } };
    expect(told({ ...few, brackets: seldom, exclamation: { share: 0.04, examples: [] } })[1]).not.toMatch(
      /букв|Восклицательные/,
    );
    expect(portraitOf({ ...PLAIN, ...few }, [])!.note).toContain("50");
    expect(portraitOf(PLAIN, [])!.note).toBeNull();
  });

  test("a word or greeting that was used only twice is not a favourite", () => {
    const text = told({
      fillers: { share: 0.01, top: counts({ короче: 2 }), examples: [] },
      greetings: { share: 0.5, of: 4, back: null, top: counts({ привет: 2 }), examples: [] },
      farewells: { share: 0.01, back: null, top: counts({ пока: 2 }), examples: [] },
    });
    expect(text.join(" ")).not.toMatch(/короче|привет|пока/);
  });

  test("an older profile without case counts is described as far as possible", () => {
    const { of: _, ...stop } = PLAIN.finalFullStop;
    const { mostWords: __, ...length } = PLAIN.length;
    const { of: ___, ...typography } = PLAIN.typography;
    expect(told({ finalFullStop: stop, length, typography })).toEqual([
      "Вы пишете не длинно и не коротко: обычно в сообщении девять слов.",
      "Начинаете с большой буквы.",
    ]);
  });
});

describe("people", () => {
  const group = (address: "ты" | "вы" | null, names: string[], contacts: number, differs: Partial<StyleProfile>) => ({
    key: `${address}${contacts}`,
    address,
    names,
    contacts,
    profile: { ...PLAIN, ...differs },
  });

  test("an owner who writes differently to different people sees how and to whom", () => {
    const text = told({ address: { ...PLAIN.address, addressed: 200, familiar: 0.5, prefers: "mixed" } }, [
      group("ты", ["Олег", "Мама", "Ира", "Саша"], 14, { length: { ...PLAIN.length, median: 20 } }),
      group("вы", ["Анна Петрова"], 1, { finalFullStop: { share: 0.9, of: 100, examples: [] } }),
      group(null, [], 21, {}),
    ]);
    expect(text.at(-1)).toBe(
      "Разным людям вы пишете по-разному. На «ты», короче обычного — 14 собеседникам, среди них Олег, Мама и Ира. На «вы», с точкой в конце — одному собеседнику: это Анна Петрова. Как обычно — 21 собеседнику.",
    );
  });

  test.each([
    [1, "Почти со всеми вы на «ты»."],
    [0.75, "Чаще вы на «ты», но кое с кем и на «вы»."],
    [0.5, "С одними вы на «ты», с другими на «вы»."],
    [0.2, "Чаще вы на «вы», но кое с кем и на «ты»."],
    [0, "Почти со всеми вы на «вы»."],
  ])("a share of %s of «ты» is «%s»", (familiar, sentence) => {
    expect(told({ address: { ...PLAIN.address, addressed: 100, familiar, prefers: "mixed" } }).at(-1)).toBe(sentence);
  });

  test("four words of address are too few for a statement", () => {
    expect(told({ address: { ...PLAIN.address, addressed: 4, familiar: 1, prefers: "ты" } }).join(" ")).not.toContain(
      "ты»",
    );
  });
});

describe("quotations", () => {
  const quoted = (profile: Partial<StyleProfile>) => portraitOf({ ...PLAIN, ...profile }, [])!.quotations;

  test("at most three quotations illustrate the portrait, each with something new", () => {
    const found = quoted({
      fillers: { share: 0.3, top: counts({ ну: 60 }), examples: ["Ну ладно", "Ну что"] },
      brackets: { share: 0.3, top: counts({ ")": 90 }), examples: ["Буду в пять)", "Ага)"] },
      length: { ...PLAIN.length, examples: ["Не успеваю", "Заеду завтра утром"] },
    });
    expect(found).toEqual([
      { text: "Ну что", shows: ["с\u00a0большой буквы", "без точки", "«ну»"] },
      { text: "Буду в пять)", shows: ["с\u00a0большой буквы", "«)»"] },
    ]);
  });

  test("a quotation never contradicts the portrait", () => {
    const examples = ["Еду к вам", "Еду к вам.", "Уже еду :)", "Буду завтра утром"];
    const found = quoted({ brackets: { ...noForms, share: 0.001 }, length: { ...PLAIN.length, examples } });
    expect(found.map(({ text }) => text)).toEqual(["Еду к вам"]);
  });
});

test("numbers are written in words with the right case and gender", () => {
  const words = ["слово", "слова", "слов"] as const;
  const plain = (text: string) => text.replaceAll("\u00a0", " ");
  expect([1, 2, 5, 11, 20, 21, 22, 111].map((count) => plain(countOfNeuter(count, words)))).toEqual([
    "одно слово",
    "два слова",
    "пять слов",
    "одиннадцать слов",
    "двадцать слов",
    "21 слово",
    "22 слова",
    "111 слов",
  ]);
  expect([1, 2, 4, 15, 20, 21].map(genitive)).toEqual(["одного", "двух", "четырёх", "пятнадцати", "двадцати", "21"]);
  expect([1, 2, 10, 11, 21, 111].map((count) => plain(dativeOf(count, "собеседнику", "собеседникам")))).toEqual([
    "одному собеседнику",
    "двум собеседникам",
    "десяти собеседникам",
    "11 собеседникам",
    "21 собеседнику",
    "111 собеседникам",
  ]);
  expect([0.95, 0.7, 0.5, 0.33, 0.2, 0.1, 0.03].map(inMessages)).toEqual([
    "почти в каждом сообщении",
    "в большинстве сообщений",
    "примерно в каждом втором сообщении",
    "примерно в каждом третьем сообщении",
    "примерно в каждом пятом сообщении",
    "примерно в каждом десятом сообщении",
    "изредка",
  ]);
});

test("a share counts as a habit only if its confidence bounds support it", () => {
  // Wilson's bounds of 8 in 10 at 95 %, one-sided: .541 and .931.
  expect(boundsOf(0.8, 10).low).toBeCloseTo(0.541, 3);
  expect(boundsOf(0.8, 10).high).toBeCloseTo(0.931, 3);
  expect([10, 100, 1000].map((of) => frequencyOf(0.9, of))).toEqual(["mostly", "mostly", "always"]);
  expect([10, 100].map((of) => frequencyOf(0, of))).toEqual([null, "rare"]);
  expect(frequencyOf(1, undefined)).toBeNull();
});
