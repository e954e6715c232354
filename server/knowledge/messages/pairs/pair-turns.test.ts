import { describe, expect, test } from "vitest";
import { type ChatLine, type TurnPair, TurnPairer } from "./pair-turns.ts";

/** Returns the pairs of one chat, whose messages must be in ascending order of time. */
function* pairTurns(lines: Iterable<ChatLine>): Generator<TurnPair> {
  const pairer = new TurnPairer();
  for (const line of lines) {
    const pair = pairer.add(line);
    if (pair !== null) yield pair;
  }
  const last = pairer.end();
  if (last !== null) yield last;
}

/** «о» is the owner, a number a contact; minutes count from noon. */
function line(id: number, who: "о" | number, minute: number, text: string, changes: Partial<ChatLine> = {}): ChatLine {
  return {
    id,
    externalId: `m${id}`,
    replyTo: null,
    contactId: who === "о" ? null : who,
    fromOwner: who === "о",
    kind: "text",
    text,
    sentAt: new Date(Date.UTC(2024, 2, 1, 12) + minute * 60_000),
    ...changes,
  };
}
const brief = (lines: ChatLine[]) => [...pairTurns(lines)].map(({ incoming, reply }) => [incoming, reply]);

describe("pairing what came in with what the owner answered", () => {
  test("messages of one author within two minutes are one turn", () => {
    const pairs = [
      ...pairTurns([
        line(1, 7, 0, "Привет"),
        line(2, 7, 1, "Когда доставка?"),
        line(3, "о", 5, "Завтра"),
        line(4, "о", 6, "После обеда)"),
        line(5, 7, 7, "Спасибо"),
      ]),
    ];
    expect(pairs).toEqual([
      {
        contactId: 7,
        incoming: "Привет\nКогда доставка?",
        reply: "Завтра\nПосле обеда)",
        replyMessageId: 3,
        repliedAt: new Date(Date.UTC(2024, 2, 1, 12, 5)),
      },
    ]);
  });

  test("a longer pause begins a new turn, and the owner answers the last one", () => {
    expect(brief([line(1, 7, 0, "Привет"), line(2, 7, 10, "Вы тут?"), line(3, "о", 11, "Тут")])).toEqual([
      ["Вы тут?", "Тут"],
    ]);
  });

  test("the owner's second turn without a message between answers nothing", () => {
    expect(
      brief([line(1, 7, 0, "Привет"), line(2, "о", 1, "Привет!"), line(3, "о", 60, "Кстати, заказ готов")]),
    ).toEqual([["Привет", "Привет!"]]);
    expect(brief([line(1, "о", 0, "Добрый день"), line(2, 7, 1, "Добрый")])).toEqual([]);
  });

  test("a message after more than a day is not an answer", () => {
    expect(brief([line(1, 7, 0, "Привет"), line(2, "о", 24 * 60, "Привет!")])).toHaveLength(1);
    expect(brief([line(1, 7, 0, "Привет"), line(2, "о", 24 * 60 + 1, "Привет!")])).toEqual([]);
  });

  test("media and forwards do not count as their author's words", () => {
    expect(brief([line(1, 7, 0, "", { kind: "media" }), line(2, "о", 1, "Красиво")])).toEqual([]);
    expect(brief([line(1, 7, 0, "Чужая новость", { kind: "forward" }), line(2, "о", 1, "Ого")])).toEqual([]);
    const pairs = [
      ...pairTurns([
        line(1, 7, 0, "Покажете?"),
        line(2, "о", 1, "", { kind: "media" }),
        line(3, "о", 1.5, "Вот такая"),
      ]),
    ];
    expect(pairs).toMatchObject([{ incoming: "Покажете?", reply: "Вот такая", replyMessageId: 3 }]);
  });

  test("an explicit reply answers the message it points to, not the latest one", () => {
    expect(
      brief([
        line(1, 7, 0, "Есть чай?"),
        line(2, 8, 1, "А кофе?"),
        line(3, "о", 2, "Чай есть", { replyTo: "m1" }),
        line(4, "о", 2.5, "Кофе завтра", { replyTo: "m2" }),
      ]),
    ).toEqual([
      ["Есть чай?", "Чай есть"],
      ["А кофе?", "Кофе завтра"],
    ]);
    expect(brief([line(1, 7, 0, "Привет"), line(2, "о", 1, "Как и писал", { replyTo: "m-забытое" })])).toEqual([]);
  });

  test("in a group the turns of different people stay apart", () => {
    const pairs = [...pairTurns([line(1, 7, 0, "Кто идёт?"), line(2, 8, 0.5, "Я"), line(3, "о", 1, "И я")])];
    expect(pairs).toMatchObject([{ contactId: 8, incoming: "Я", reply: "И я" }]);
  });

  test("messages without a known author are not paired", () => {
    expect(brief([line(1, 7, 0, "Привет", { contactId: null }), line(2, "о", 1, "Привет!")])).toEqual([]);
  });

  test("an article of thousands of characters is not a reply, and of a long question the end is kept", () => {
    expect(brief([line(1, 7, 0, "Расскажи"), line(2, "о", 1, "а".repeat(4001))])).toEqual([]);
    const [pair] = brief([line(1, 7, 0, `${"б".repeat(5000)} когда?`), line(2, "о", 1, "Завтра")]);
    expect(pair![0]).toHaveLength(4000);
    expect(pair![0]).toMatch(/ когда\?$/);
  });
});
