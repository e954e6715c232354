import { expect, test } from "vitest";
import { FavouriteWords } from "./favourite-words.ts";

/** Counts each question with its answer `times` times, in as many chats as there are lists. */
function counted(times: number, ...chats: [question: string, answer: string][][]) {
  const words = new FavouriteWords();
  for (let time = 0; time < times; time++) {
    for (const [chatId, lines] of chats.entries()) {
      for (const [question, answer] of lines) {
        words.add({ text: question, fromOwner: false, chatId });
        words.add({ text: answer, fromOwner: true, chatId });
      }
    }
  }
  return words.top(8).map(({ text }) => text);
}

test("a word that the owner uses and the others do not is reported, however often everyone says «не» and «да»", () => {
  const favourites = counted(
    10,
    [
      ["а ты не видел ключи, да?", "да не, короче в машине лежат"],
      ["и где машина стоит?", "короче во дворе, машина не моя"],
    ],
    [
      ["не знаю, да или нет", "да короче решай"],
      ["решай не решай", "ну погнали, погнали"],
    ],
  );
  expect(favourites[0]).toBe("короче");
  for (const word of ["да", "не", "ну", "в", "машина", "решай"]) expect(favourites).not.toContain(word);
});

test("neither a name nor one person's subject is a favourite word", () => {
  const favourites = counted(
    10,
    [["привет, как дела?", "привет, Маша, зацени чертежи, мы со Стоговым кароч сделали"]],
    [["привет, как дела?", "привет, маша, кароч норм"]],
  );
  expect(favourites).toContain("кароч");
  for (const word of ["маша", "стоговым", "чертежи"]) expect(favourites).not.toContain(word);
});

test("an owner without unusual words has none", () => {
  expect(counted(10, [["хорошо, договорились, завтра", "хорошо, договорились, завтра"]])).toEqual([]);
  expect(counted(0)).toEqual([]);
});

test("a history with more words than are kept still tells the frequent ones", () => {
  const words = new FavouriteWords();
  // Encodes each digit as two letters, because a word with a digit does not count.
  const made = (number: number) =>
    [...String(number)].map((digit) => String.fromCodePoint(0x430 + Number(digit)).repeat(2)).join("");
  for (let at = 0; at < 50_000; at++) {
    words.add({ text: `слово${made(at)}`, fromOwner: at % 2 === 0, chatId: at % 3 });
    if (at % 50 === 0)
      words.add({ text: at % 100 === 0 ? "короче так" : "ну и короче", fromOwner: true, chatId: at % 3 });
  }
  expect(words.top(3).map(({ text }) => text)).toEqual(["короче"]);
});

test("a word that he writes chiefly within a phrase counts as the phrase", () => {
  const favourites = counted(
    5,
    [
      ["сможешь сегодня?", "не проблема, сделаю"],
      ["и документы?", "вообще не проблема"],
    ],
    [
      ["у нас проблема с печатью", "не проблема, гляну"],
      ["спасибо, всё решено", "в три ночи по-любому"],
    ],
  );
  expect(favourites).toContain("не проблема");
  expect(favourites).not.toContain("проблема");
});

test("a word that he also writes alone stays a word", () => {
  const favourites = counted(
    5,
    [
      ["как сходил?", "вообще огонь"],
      ["а фильм?", "огонь, сходи"],
    ],
    [
      ["как тебе?", "огонь же"],
      ["и что там?", "там огонь кухня"],
    ],
  );
  expect(favourites[0]).toBe("огонь");
});

test("a short exclamation that recurs with several people is a phrase, and greetings and one-off cries are not", () => {
  const favourites = counted(
    3,
    [
      ["мы выехали", "Так держать, орлы! жду"],
      ["победа!", "Спасибо большое! Держим строй!"],
    ],
    [
      ["сдала экзамен", "Держим строй! Доброе утро!"],
      ["ура", "поздравляю тебя с этой победой от души!"],
    ],
  );
  expect(favourites[0]).toBe("держим строй!");
  for (const text of ["строй", "держим", "спасибо большое!", "доброе утро!", "держать орлы!"]) {
    expect(favourites).not.toContain(text);
  }
});

test("an exclamation that the contacts cry as well is not his", () => {
  const favourites = counted(4, [["горько молодым!", "горько молодым!"]], [["горько молодым!", "горько молодым!"]]);
  expect(favourites).toEqual([]);
});
