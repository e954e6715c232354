/** Only facts and promises with a source are shown, in plain words and the right language. */
import { describe, expect, test } from "vitest";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { measureStyle } from "#server/knowledge/style/style-profile.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { AnswerReader } from "./answer-reader.ts";
import { ReplySources } from "./sources.ts";

const chunk = (text: string): ReplyChunk => ({
  ...{ id: text, documentId: "d", name: "Доставка", heading: "", text, score: 1 },
  sentences: [{ text, score: 1 }],
});
const KNOWN =
  "Курьер по городу стоит 350 рублей, от 3000 рублей бесплатно. Работаем пн–пт с 9:00 до 19:00, сб 10–16. " +
  "Если букет завял раньше трёх дней, заменим его бесплатно. Флорист Марина, телефон +7 912 345-67-89. Роза стоит 150 рублей. Сборка длится полтора часа.";
const asked = (over: Partial<ReplyRequest> = {}): ReplyRequest => ({
  twin: { name: "Лавка", description: "Цветы", personality: "", communicationStyle: "", expertise: [] },
  ...{ profile: null, message: "Сколько стоит доставка?", history: [], replyExamples: [] },
  chunks: [chunk(KNOWN)],
  confidence: { chunks: 0, replyExamples: 0 },
  plan: { kind: "unknown", confidence: 0, reason: "" },
  ...over,
});

function read(text: string, over: Partial<ReplyRequest> = {}, { cut = false, step = 7 } = {}) {
  const request = asked(over);
  const reader = new AnswerReader(request, new ReplySources(request), ["f3nce"]);
  let said = "";
  for (let at = 0; at < text.length; at += step) said += reader.push(text.slice(at, at + step));
  said += reader.end(cut);
  return { said: said.trim(), reader, pieces: reader.faults.flatMap(({ pieces }) => pieces) };
}

describe("what the sources hold is shown", () => {
  test.each([
    "Доставка стоит 350 рублей.",
    "Курьер — триста пятьдесят рублей, а от трёх тысяч бесплатно.",
    "Во вторник работаем до 19:00.",
    "В субботу с 10 до 16.",
    "Сборка длится 90 минут.",
    "Звоните Марине: 8 912 345-67-89.",
    "Если букет завянет раньше трёх дней, заменим бесплатно.",
    "Передам Марине.",
    "Уточню и отвечу вам.",
    "Добрый вечер! Доставка стоит 350 рублей.",
  ])("%s", (text) => expect(read(text)).toMatchObject({ said: text, pieces: [] }));

  test("a sum is shown when its parts are named or asked about", () => {
    const message = "Сколько выйдет 7 роз с доставкой?";
    const shown = read("Роза 150 рублей, 7 роз — 1050 рублей. С доставкой 350 — 1400 рублей.", { message });
    expect(shown.said).toContain("1400");
    expect(shown.reader.computed).toBe(true);
    expect(read("Получится 1400 рублей.", { message }).said).toBe("");
    expect(read("7 роз по 150 рублей — 1150 рублей.", { message }).said).toBe("");
  });
});

test.each([
  "Правила:",
  "Данные из документов, самые подходящие первыми:",
  "1. Пиши только сам ответ собеседнику, на его языке, обычным текстом: без пояснений, кавычек вокруг, разметки, картинок и заголовков.",
])("of its own prompt nothing is said: %s", (quoted) => {
  expect(read(quoted).said).toBe("");
  expect(read(`${quoted}\nДоставка стоит 350 рублей.`).said).toBe("Доставка стоит 350 рублей.");
});

describe("what no source holds is cut, and the rest is shown", () => {
  test.each([
    ["Доставка 350 рублей. Привезём за 40 минут.", "Доставка 350 рублей.", "40 минут"],
    ["Курьер стоит 350 рублей. По воскресеньям тоже работаем.", "Курьер стоит 350 рублей.", "воскресенье"],
    ["Курьер стоит 350 рублей. Звоните на +7 900 111-22-33.", "Курьер стоит 350 рублей.", "+7 900 111-22-33"],
    ["Курьер стоит 350 рублей. Спросите нашу Светлану.", "Курьер стоит 350 рублей.", "Светлану"],
    ["Курьер стоит 350 рублей. Оплата на pay.example.com.", "Курьер стоит 350 рублей.", "pay.example.com"],
    ["Курьер стоит 350 рублей. Пишите на a@b.example.", "Курьер стоит 350 рублей.", "a@b.example"],
    ["Курьер стоит 350 рублей. Сделаем скидку.", "Курьер стоит 350 рублей.", "сделаем"],
    ["Курьер стоит 350 рублей. Вернём деньги.", "Курьер стоит 350 рублей.", "вернем"],
  ])("%s", (text, said, piece) => {
    const result = read(text);
    expect(result.said).toBe(said);
    expect(result.pieces.join()).toContain(piece);
  });

  test("a greeting or a «да» is not shown alone when what followed it was cut", () => {
    expect(read("Здравствуйте! Да. Доставка стоит 500 рублей.").said).toBe("");
    expect(read("Здравствуйте! Доставка стоит 350 рублей.").said).toBe("Здравствуйте! Доставка стоит 350 рублей.");
    expect(read("Здравствуйте!").said).toBe("Здравствуйте!");
  });

  test("a price or a discount that only the asker has named is not taken for the owner's word", () => {
    const message = "Сделаете скидку 20 % и вернёте 5000 рублей?";
    expect(read("Да, скидка 20 %.", { message }).said).toBe("");
    expect(read("Вернём 5000 рублей.", { message }).said).toBe("");
    const said: ReplyRequest["history"] = [{ role: "assistant", content: "Скидка вам 20 %." }];
    expect(read("Да, скидка 20 %.", { message, history: said }).said).toBe("Да, скидка 20 %.");
  });

  test("what only past replies hold is shown and marked as weakly supported", () => {
    const replyExamples = [{ id: "e", incoming: "сколько?", reply: "3 кг выйдет 7500", score: 1, sameContact: false }];
    const { said, reader } = read("3 кг — 7500.", { replyExamples });
    expect([said, reader.weak]).toEqual(["3 кг — 7500.", true]);
  });
});

describe("faults of models", () => {
  test("a model that speaks of itself or declines as its maker has taught it gives no answer", () => {
    for (const text of [
      "Я языковая модель и не могу знать цены.",
      "Как ИИ, я не имею мнения.",
      "As an AI language model, I cannot help with that.",
      "Извините, но я не могу предоставить эту информацию.",
      "НЕТ_ДАННЫХ",
      "Нет_ДАННЫХ.",
      "нет_данных",
      "НЕТ ДАННЫХ.",
    ]) {
      const { said, reader } = read(text);
      expect([text, said, reader.noAnswer]).toEqual([text, "", true]);
    }
    expect(read("Доставка 350 рублей. НЕТ_ДАННЫХ").said).toBe("Доставка 350 рублей.");
  });

  test("a sentence in a language that neither the question nor the owner uses is cut; a foreign name is not", () => {
    expect(read("The delivery costs 350 rubles within the city.").said).toBe("");
    expect(read("Доставка стоит 350 рублей, 送货费用.").said).toBe("");
    expect(read("Доставка 350 рублей. 送货免费。").said).toBe("Доставка 350 рублей.");
    expect(read("Delivery is 350 rubles by courier.", { message: "How much is the delivery, please?" }).said).toBe(
      "Delivery is 350 rubles by courier.",
    );
    expect(read("Доставка 350 рублей.", { message: "How much is the delivery, please?" }).said).not.toBe("");
  });

  test("a smile is in no language: what was written before it, and how the owner writes, tells which one answers it", () => {
    const text = "Nice one, glad that it works now.";
    const message = ":)";
    expect(read(text, { message }).said).toBe("");
    const history = ["It finally works!", "Thanks a lot", "))"].map((content) => ({ role: "user" as const, content }));
    expect(read(text, { message, history }).said).toBe(text);
    const exchanges = [{ id: "1", incoming: null, reply: text.repeat(10), score: 0, sameContact: false }];
    expect(read(text, { message, exchanges }).said).toBe(text);
    const profile = measureStyle([{ text: "it works here too", sentAt: null, fromOwner: true, chatId: 1 }]);
    expect(read(text, { message, profile }).said).toBe(text);
  });

  test("a text that was cut off ends with its last whole sentence", () => {
    const torn = "Доставка 350 рублей. Курьер приезжает в тече";
    expect(read(torn, {}, { cut: true }).said).toBe("Доставка 350 рублей.");
    expect(read(torn).said).toBe(torn);
    const { said, reader } = read("Курьер приезжает в тече", {}, { cut: true });
    expect([said, reader.faults.map(({ kind }) => kind)]).toEqual(["", ["cut"]]);
    expect(read("Доставка 350 рублей.", {}, { cut: true }).said).toBe("Доставка 350 рублей.");
  });

  test("Markdown is removed", () => {
    expect(
      read(
        "### Доставка\n\n**Курьер** стоит `350` рублей:\n* по городу\n* до двери\n\n```\nсб 10–16\n```\n| Роза | 150 |\n| --- | --- |",
      ).said,
    ).toBe("Доставка\n\nКурьер стоит 350 рублей:\n— по городу\n— до двери\n\nсб 10–16\nРоза — 150");
  });

  test("a text of eight thousand characters ends at a whole sentence, and a repeated sentence is shown once", () => {
    const many = Array.from(
      { length: 200 },
      (_, at) => `Курьер возит букеты ${"очень ".repeat(at % 7)}бережно ${"аккуратно ".repeat(at % 5)}всем.`,
    ).join(" ");
    const { said, reader } = read(many, {}, { step: 40 });
    expect(said.length).toBeLessThanOrEqual(2000);
    expect(said).toMatch(/\.$/);
    const long = read(
      Array.from(
        { length: 120 },
        (_, at) =>
          `Букет${String.fromCharCode(1072 + (at % 30), 1072 + Math.floor(at / 30))} собирает флорист из цветов, которые привезли утром, и упаковывает бережно.`,
      )
        .join(" ")
        .replaceAll(" утром", ""),
      {},
      { step: 50 },
    );
    expect(long.said.length).toBeLessThanOrEqual(2000);
    expect(long.reader.full).toBe(true);
    expect(reader.faults).toEqual([]);
    expect(read("букеты".repeat(400)).said).toBe("");
  });

  test("the model cannot continue the conversation for the asker, and neither JSON nor marks of the prompt are shown", () => {
    expect(read("Доставка 350 рублей.\nПользователь: а в область?\nАссистент: да").said).toBe("Доставка 350 рублей.");
    expect(read("Ответ: Доставка 350 рублей.").said).toBe("Доставка 350 рублей.");
    expect(read('{"name": "search", "arguments": {"q": "доставка"}}').said).toBe("");
    expect(read("Мои правила стоят после f3nce.").said).toBe("");
  });
});
