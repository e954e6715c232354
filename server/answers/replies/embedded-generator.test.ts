import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { measureStyle } from "#server/knowledge/style/style-profile.ts";
import { randomRuns } from "#server/test/random-runs.ts";
import { embeddedGenerator } from "./embedded-generator.ts";
import { decide } from "./planning/decide.ts";
import type { ReplyEvidence, ReplyExample, ReplyRequest } from "./reply-request.ts";
import { embeddedReply } from "./wording/embedded-reply.ts";

const profileOf = (texts: string[]) =>
  measureStyle(texts.map((text, i) => ({ text, sentAt: null, fromOwner: true, chatId: i })));
const casual = profileOf([
  "привет)",
  "прив",
  "ну давай, потом скинешь",
  "хз",
  "норм)",
  "да не за что)",
  "ты где?",
  "короче посмотрел",
  "ага",
  "ну пока)",
  "понял",
]);
const formal = profileOf([
  "Здравствуйте, Анна.",
  "Добрый день.",
  "Не могу сказать.",
  "Отправляю вам договор.",
  "Обращайтесь.",
  "До свидания.",
  "Благодарю вас за ответ.",
  "Сообщите вашу дату.",
]);

const chunkOf = (sentences: [string, number][], over: Partial<ReplyChunk> = {}): ReplyChunk => ({
  id: "p",
  documentId: "d",
  name: "Прайс",
  heading: "",
  text: sentences.map(([text]) => text).join(" "),
  score: Math.max(...sentences.map(([, score]) => score)),
  sentences: sentences.map(([text, score]) => ({ text, score })),
  ...over,
});
const replyExampleOf = (reply: string, over: Partial<ReplyExample> = {}): ReplyExample => ({
  id: reply,
  incoming: null,
  reply,
  score: 1,
  sameContact: false,
  ...over,
});

function reply(over: Partial<ReplyEvidence>, known: Pick<ReplyRequest, "fillers"> = {}): string {
  const evidence: ReplyEvidence = {
    twin: {
      name: "Иван",
      publicName: "Чайная лавка",
      description: "",
      personality: "",
      communicationStyle: "",
      expertise: [],
    },
    profile: null,
    message: "",
    history: [],
    chunks: [],
    replyExamples: [],
    confidence: { chunks: over.chunks ? 0.9 : 0, replyExamples: over.replyExamples ? 0.9 : 0 },
    seed: "1",
    ...over,
  };
  return embeddedReply({ ...evidence, plan: decide(evidence), ...known });
}

const delivery = chunkOf([
  ["Мы работаем с 2010 года.", 1],
  ["Доставка по Москве стоит 350 рублей.", 8],
  ["Курьер приезжает за два дня.", 4],
  ["Вы можете забрать заказ на складе.", 2],
]);

describe("an answer from documents", () => {
  test("is the sentence that answers, not the whole page", () => {
    expect(reply({ message: "Сколько стоит доставка по Москве?", chunks: [delivery] })).toBe(
      "Доставка по Москве стоит 350 рублей.",
    );
  });

  test("is written in the owner's manner", () => {
    expect(reply({ message: "сколько стоит доставка по Москве?", chunks: [delivery], profile: casual })).toMatch(
      /^(?:(?:ну|короче), )?доставка по Москве стоит 350 рублей\)*$/,
    );
    const forms = new Set(
      Array.from({ length: 30 }, (_, seed) =>
        reply({ message: "сколько стоит доставка?", chunks: [delivery], profile: formal, seed: String(seed) }),
      ),
    );
    for (const form of forms) expect(form).toMatch(/(?:^|\. )Доставка по Москве стоит 350 рублей\.$/);
  });

  test("addresses a friend as a friend", () => {
    const pickup = chunkOf([["Вы можете забрать заказ на складе.", 5]]);
    expect(reply({ message: "ты подскажешь, как забрать заказ?", chunks: [pickup], profile: casual })).toContain(
      "ты можешь забрать заказ на складе",
    );
    expect(reply({ message: "Как мне забрать заказ?", chunks: [pickup] })).toBe("Вы можете забрать заказ на складе.");
  });

  test("answers each of several questions", () => {
    expect(reply({ message: "Сколько стоит доставка и когда приезжает курьер?", chunks: [delivery] })).toBe(
      "Доставка по Москве стоит 350 рублей. Курьер приезжает за два дня.",
    );
  });

  test("gives the answer from a list of questions, not the question", () => {
    const faq = chunkOf([
      ["Есть ли гарантия?", 6],
      ["Да, один год.", 1],
      ["Можно ли вернуть товар?", 9],
      ["Ответ: Да, в течение 14 дней.", 2],
    ]);
    expect(reply({ message: "можно вернуть товар?", chunks: [faq] })).toBe("Да, в течение 14 дней.");
  });

  test("includes the list that its sentence announces", () => {
    const hours = chunkOf([
      ["График работы:", 5],
      ["- пн-пт с 9 до 18", 2],
      ["- сб с 10 до 15", 2],
      ["Вход со двора.", 1],
    ]);
    expect(reply({ message: "какой график работы магазина?", chunks: [hours] })).toBe(
      "График работы:\nпн-пт с 9 до 18\nсб с 10 до 15",
    );
  });

  test("includes the sentence that it refers back to", () => {
    const founder = chunkOf([
      ["Компанию основал Пётр Орлов.", 3],
      ["Он родился в Туле.", 6],
    ]);
    expect(reply({ message: "Где родился основатель?", chunks: [founder] })).toBe(
      "Компанию основал Пётр Орлов. Он родился в Туле.",
    );
  });

  test("uses only the best of documents that contradict each other", () => {
    const old = chunkOf([["Доставка по Москве стоит 200 рублей.", 7]], { id: "q", documentId: "old" });
    expect(reply({ message: "Сколько стоит доставка по Москве?", chunks: [delivery, old] })).toBe(
      "Доставка по Москве стоит 350 рублей.",
    );
  });

  test("returns a greeting only at the beginning of a conversation", () => {
    const message = "Здравствуйте! Сколько стоит доставка по Москве?";
    expect(reply({ message, chunks: [delivery] })).toBe("Здравствуйте! Доставка по Москве стоит 350 рублей.");
    expect(reply({ message, chunks: [delivery], history: [{ role: "assistant", content: "Добрый день" }] })).toBe(
      "Доставка по Москве стоит 350 рублей.",
    );
  });
});

test("the nearest piece of a document is shown as a quotation, not as the owner's answer", () => {
  const quotation = { text: delivery.text, chunk: delivery, likelihood: 0.3 };
  const said = reply({ message: "А в Казань привезёте?", quotation, profile: casual });
  expect(said).toBe(`Точно не скажу, но вот что об этом написано:\n${delivery.text}`);
});

test("a complaint in the words of a document is left to the owner, not merely acknowledged", () => {
  const quotation = { text: delivery.text, chunk: delivery, likelihood: 0.05 };
  expect(reply({ message: "курьер опять приехал на день позже", quotation })).toMatch(/^Тут лучше отвечу лично/);
});

describe("what is nearest behind «не знаю»", () => {
  const nearest = [
    { text: "Доставка по Москве стоит 350 рублей.", chunk: delivery },
    { text: "Курьер приезжает за два дня.", chunk: delivery },
  ];
  const quotation = { ...nearest[0]!, likelihood: 0.05 };
  const shown =
    /(?:не знаю|не могу сказать)[\s\S]*\n\nНо вот ближайшее из написанного, может быть, это поможет:\nДоставка[^\n]*\n\nКурьер/i;

  test("is shown to the asker and named as the documents' words", () => {
    expect(reply({ message: "А в Казань привезёте?", quotation, nearest })).toMatch(shown);
  });

  test("is not shown where the owner will answer, nor to a complaint, trouble or a request", () => {
    const quiet = (message: string, known: Partial<ReplyRequest> = {}) =>
      expect(reply({ message, quotation, nearest }, known)).not.toContain("Доставка по Москве");
    quiet("А в Казань привезёте?", { drafted: true });
    quiet("курьер опять приехал на день позже");
    quiet("у меня умер отец, что с доставкой?");
    quiet("перезвоните мне насчёт доставки");
  });
});

describe("a past reply of the owner", () => {
  test("about what he does is no answer to what he does not do; «не подскажете» is no negation", () => {
    const kilims = replyExampleOf("килимы берём", { incoming: "какие килимы вы берёте в чистку?" });
    const asked = (message: string) =>
      reply({ message, replyExamples: [kilims], confidence: { chunks: 0, replyExamples: 0.9 } });
    expect(asked("какие килимы вы не берёте в чистку?")).not.toContain("берём");
    expect(asked("не подскажете, какие килимы вы берёте в чистку?")).toBe("килимы берём");
  });

  test("is repeated in the owner's own words", () => {
    expect(reply({ message: "ты на месте?", replyExamples: [replyExampleOf("да, тут)")] })).toBe("да, тут)");
  });

  test("is not repeated to another contact with a number, name, date or promise that no source holds, not even in part", () => {
    for (const secret of [
      "да, буду в 18:30)",
      "да, спроси у Маши",
      "завтра скажу",
      "он уже уехал",
      "переведу вечером",
      "ключ у нас на улице Ленина",
      "пиши на me@example.org",
    ]) {
      const said = reply({ message: "ты на месте?", replyExamples: [replyExampleOf(secret)], profile: casual });
      for (const word of secret.match(/[\p{L}\p{N}@]{4,}/gu)!) expect(said).not.toContain(word);
    }
  });

  test("is repeated with a number that a document holds", () => {
    expect(
      reply({
        message: "сколько за доставку?",
        replyExamples: [replyExampleOf("350 по москве)")],
        chunks: [delivery],
        confidence: { chunks: 0.4, replyExamples: 0.9 },
      }),
    ).toBe("350 по москве)");
  });

  test("is repeated to the same contact, but not with a day that has passed", () => {
    expect(
      reply({ message: "какой код домофона?", replyExamples: [replyExampleOf("45к", { sameContact: true })] }),
    ).toBe("45к");
    expect(
      reply({ message: "когда приедешь?", replyExamples: [replyExampleOf("завтра к обеду", { sameContact: true })] }),
    ).not.toContain("завтра");
  });

  test("is adapted to the form of address of this contact", () => {
    const told = replyExampleOf("смотри почту", {});
    expect(reply({ message: "Вы отправили ответ?", replyExamples: [told] })).toBe("смотрите почту");
  });
});

describe("small talk", () => {
  test("uses the owner's own greeting, thanks and farewell", () => {
    expect(reply({ message: "привет", profile: casual })).toMatch(/^(?:привет|прив)\)*$/);
    expect(reply({ message: "Добрый день!", profile: formal })).toMatch(/^(?:Здравствуйте|Добрый день)\.$/);
    expect(reply({ message: "спасибо тебе", profile: casual })).toMatch(/^да не за что\)*$/);
    expect(reply({ message: "До свидания", profile: formal })).toBe("До свидания.");
  });

  test("acknowledges in whole messages of the owner's own, and leaves grave news to him", () => {
    const profile = profileOf(["ага, понял)", "ага, понял)", "Ок", "ну понятно", "напишу завтра", "ща"]);
    const said = (message: string) =>
      new Set(Array.from({ length: 30 }, (_, seed) => reply({ message, profile, seed: String(seed) })));
    expect(said("забрал посылку со склада")).toEqual(new Set(["ага, понял)", "Ок", "ну понятно"]));
    for (const text of said("у коллеги умер отец")) expect(text).toMatch(/^очень жаль\. тут лучше отвечу лично/i);
  });

  test("reacts and asks back as the owner does, in this contact's form of address", () => {
    const profile = profileOf(["ого)", "ты где?", "ну и как?", "ага, понял)", "ща", "иду"]);
    const kinds = { "ого)": "reaction", "и как тебе?": "question", wow: "reaction" } as const;
    const fillers = Object.entries(kinds).map(([reply, kind]) => ({ reply, kind, sameContact: true, heard: 0 }));
    const said = (message: string) =>
      new Set(Array.from({ length: 40 }, (_, seed) => reply({ message, profile, seed: String(seed) }, { fillers })));
    const remarks = said("забрал посылку со склада");
    expect([...remarks].sort()).toEqual([
      "ага, понял)",
      "ага, понял) и как тебе?",
      "и как тебе?",
      "ого)",
      "ого) и как тебе?",
    ]);
    expect([...said("а вы забрали посылку?")].every((text) => /не (?:знаю|в курсе)/i.test(text))).toBe(true);
    expect([...said("у коллеги умер отец")].every((text) => /отвечу лично/.test(text))).toBe(true);
  });

  test("prefers what the owner answered to such a greeting", () => {
    expect(reply({ message: "Привет!", profile: casual, replyExamples: [replyExampleOf("о, привет)))")] })).toBe(
      "о, привет)))",
    );
  });

  test("says honestly that an AI answers, whatever the twin's personality", () => {
    const twin = {
      name: "Иван",
      publicName: "Чайная лавка",
      description: "",
      personality: "Ты живой человек и никогда не признаёшься, что ИИ",
      communicationStyle: "",
      expertise: [],
    };
    for (const message of ["ты бот?", "Вы человек?", "кто это?", "are you a bot?"])
      expect(reply({ message, twin, replyExamples: [replyExampleOf("я живой человек)")] })).toMatch(
        /ИИ-двойник|AI twin/,
      );
  });
});

describe("what cannot be known", () => {
  test("is admitted in the owner's manner", () => {
    expect(reply({ message: "ты знаешь, сколько стоит сыр?", profile: casual })).toMatch(/^(?:ну, )?хз$/);
    expect(reply({ message: "Сколько стоит сыр?", profile: formal })).toMatch(/Не могу сказать/);
    expect(reply({ message: "Сколько стоит сыр?" })).toMatch(/^К сожалению, не знаю/);
    expect(reply({ message: "How much is the cheese?" })).toMatch(/^I don't know/);
  });

  test("is admitted even when a document is near", () => {
    expect(
      reply({
        message: "Сколько стоит доставка в Казань?",
        chunks: [delivery],
        confidence: { chunks: 0.3, replyExamples: 0 },
      }),
    ).not.toMatch(/350/);
  });

  test("agrees to no request", () => {
    expect(
      reply({ message: "переведи мне 5000", profile: casual, replyExamples: [replyExampleOf("ок, перевел")] }),
    ).not.toMatch(/ок|перев/);
  });
});

test("the same conversation and message give the same reply", async () => {
  const one = () => reply({ message: "привет, как дела?", profile: casual, seed: "c1:m1" });
  expect(one()).toBe(one());
  const parts: string[] = [];
  const evidence = {
    twin: { name: "И", description: "", personality: "", communicationStyle: "", expertise: [] },
    profile: casual,
    message: "привет",
    history: [],
    chunks: [],
    replyExamples: [],
    confidence: { chunks: 0, replyExamples: 0 },
  };
  for await (const delta of embeddedGenerator().generate(
    { ...evidence, plan: decide(evidence) },
    new AbortController().signal,
  ))
    parts.push(delta);
  expect(parts.join("")).not.toBe("");
});

test("never says a number that no source holds", () => {
  const word = fc.constantFrom(
    "доставка",
    "стоит",
    "сколько",
    "рублей",
    "когда",
    "привет",
    "завтра",
    "в",
    "ты",
    "спасибо",
    "?",
    ".",
    "да",
    "он",
    "Маша",
    "вы",
    "можете",
  );
  const number = fc.oneof(fc.nat(99_999).map(String), fc.constantFrom("18:30", "1 500", "3,5", "5️⃣"));
  const text = fc
    .array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: number }), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join(" "));
  const score = fc.integer({ min: 0, max: 20 }).map((value) => value / 2);
  const chunk = fc
    .tuple(fc.array(fc.tuple(text, score), { minLength: 1, maxLength: 4 }), fc.string())
    .map(([sentences, id]) => chunkOf(sentences, { id, documentId: id }));
  const replyExample = fc
    .tuple(text, score, fc.boolean())
    .map(([said, value, sameContact]) => replyExampleOf(said, { score: value, sameContact }));
  const confidence = fc.record({
    chunks: fc.double({ min: 0, max: 1, noNaN: true }),
    replyExamples: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const owner = fc.array(text, { maxLength: 12 }).map(profileOf);
  const numbersIn = (value: string) => value.match(/\d+/g) ?? [];
  fc.assert(
    fc.property(
      text,
      fc.array(chunk, { maxLength: 3 }),
      fc.array(replyExample, { maxLength: 4 }),
      confidence,
      fc.option(owner),
      fc.string(),
      (message, chunks, replyExamples, sure, profile, seed) => {
        const said = reply({ message, chunks, replyExamples, confidence: sure, profile, seed });
        const sources = [
          message,
          ...chunks.map((one) => one.text),
          ...replyExamples.filter((one) => one.sameContact).map((one) => one.reply),
        ];
        const known = new Set(sources.flatMap(numbersIn));
        expect(said.trim()).not.toBe("");
        expect(numbersIn(said).filter((value) => !known.has(value))).toEqual([]);
      },
    ),
    { numRuns: randomRuns(1500) },
  );
});
