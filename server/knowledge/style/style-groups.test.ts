import { describe, expect, test } from "vitest";
import { OwnersStyle } from "#contract/quality.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { groupFor } from "./style-for.ts";
import { OwnersStyleAccumulator, type StyleMessageTo } from "./style-groups.ts";
import { measureStyle } from "./style-profile.ts";

const STYLES = {
  friend: ["ты где)", "ну давай)", "скинь фотки))", "ага, ща", "привет) как ты", "хз, посмотри сам"],
  client: [
    "Здравствуйте. Отправляю вам договор на согласование.",
    "Добрый день, ваш заказ уже собран и передан курьеру.",
    "Сообщите, пожалуйста, когда вам удобно принять доставку.",
    "Спасибо, мы все проверили и ждем вашего решения.",
  ],
  colleague: [
    "Глянь отчет за март, там не сходится итог по третьей строке",
    "Ты сегодня на созвоне? Надо обсудить релиз и сроки",
    "Я поправил тесты, посмотри ветку, когда будет время",
    "Скинь, пожалуйста, ссылку на задачу про оплату",
  ],
} as const;

/** Creates chats of the owner with three people of each kind, `each` messages per person; contact ids show the kind. */
function talks(each: number) {
  const random = seededRandom("talks");
  const accumulator = new OwnersStyleAccumulator();
  const all: StyleMessageTo[] = [];
  for (const [kind, texts] of Object.values(STYLES).entries()) {
    for (let person = 0; person < 3; person++) {
      const contactId = 10 * (kind + 1) + person;
      for (let at = 0; at < each; at++) {
        const sentAt = new Date(Date.UTC(2026, 0, 1 + at));
        const place = { chatId: contactId, sentAt, contactId };
        const said = [
          { ...place, text: "вопрос?", fromOwner: false },
          { ...place, text: texts[Math.floor(random() * texts.length)]!, fromOwner: true },
        ];
        for (const message of said) accumulator.add(message);
        all.push(...said);
      }
    }
  }
  return { accumulator, all };
}

describe("the style with each contact", () => {
  const { accumulator, all } = talks(60);
  // A person to whom the owner wrote twice.
  for (const text of ["Здравствуйте, когда вам удобно?", "Жду вас в пять."]) {
    const message = { chatId: 99, contactId: 99, sentAt: null, text, fromOwner: true };
    accumulator.add(message);
    all.push(message);
  }
  const { style, groupOf } = accumulator.result();
  const groups = new Map(style.groups!.map((group) => [group.key, group]));
  const groupWith = (contactId: number) => groups.get(groupOf.get(contactId)!)!;

  test("groups the people to whom the owner writes alike", () => {
    expect(OwnersStyle.parse(style)).toEqual(style);
    expect(groups.size).toBe(3);
    for (const kind of [10, 20, 30])
      expect(new Set([0, 1, 2].map((person) => groupOf.get(kind + person))).size).toBe(1);
    expect([10, 20, 30].map((kind) => groupWith(kind).address)).toEqual(["ты", "вы", "ты"]);
    expect(groupOf.get(99)).toBe(groupOf.get(20));
  });

  test("has a profile for each group, smoothed towards the overall one, with the group's own examples", () => {
    const [friend, client] = [groupWith(10).profile, groupWith(20).profile];
    expect(friend.lowerCaseStart.share).toBeGreaterThan(0.9);
    expect(client.lowerCaseStart.share).toBeLessThan(0.1);
    expect(client.finalFullStop.share).toBeGreaterThan(0.9);
    expect(client.length.median).toBeGreaterThan(2 * friend.length.median);
    expect(client.brackets.share).toBeGreaterThan(0);
    const clients: readonly string[] = [...STYLES.client, "Здравствуйте, когда вам удобно?", "Жду вас в пять."];
    expect(client.length.examples.every((text) => clients.includes(text))).toBe(true);
  });

  test("does not change the overall profile", () => {
    const {
      groups: _,
      favourites: __,
      ...whole
    } = JSON.parse(JSON.stringify(style), (key, value) => (key === "people" ? undefined : value)) as typeof style;
    const plain = measureStyle(all);
    expect({ ...whole, length: { ...whole.length, examples: [] } }).toEqual({
      ...plain,
      length: { ...plain.length, examples: [] },
    });
  });

  test("is followed unless the owner has set another form of address, and for a stranger it is derived from the conversation", () => {
    const asked = { message: "сколько стоит?", history: [] };
    const { profile: friendly } = groupWith(10);
    const { profile: polite } = groupWith(20);
    expect(groupFor(style, { ...asked, styleGroup: groupOf.get(10) })?.profile).toEqual(friendly);
    expect(groupFor(style, { ...asked, styleGroup: groupOf.get(10), address: "вы" })?.profile).toEqual(polite);
    expect(groupFor(style, { ...asked, message: "а вы работаете завтра? подскажите" })?.profile).toEqual(polite);
    expect(groupFor(style, asked)).toBeNull();
  });
});

test("a word that stands in two chats with one person is none of the owner's favourites", () => {
  const favourites = (...people: number[]) => {
    const accumulator = new OwnersStyleAccumulator();
    for (const [at, person] of [...people, 9].entries()) {
      const place = { chatId: at, contactId: at, person, sentAt: null };
      for (let time = 0; time < 20; time++) {
        accumulator.add({ ...place, fromOwner: false, text: "привет, как дела" });
        const about = time % 2 === 0 ? "снегоход привезли" : "приехал снегоход";
        accumulator.add({ ...place, fromOwner: true, text: person === 9 ? "привет, нормально" : about });
      }
    }
    return accumulator.result().style.favourites!.map(({ text }) => text);
  };
  expect(favourites(1, 2)).toContain("снегоход");
  expect(favourites(1, 1)).not.toContain("снегоход");
});

test.each([
  { said: "ты to everybody", texts: STYLES.friend },
  { said: "ты and вы to everybody", texts: ["ты где", "вы где", "жду тебя", "жду вас", "ага"] },
])("an owner who writes alike and says $said has no groups", ({ texts }) => {
  const accumulator = new OwnersStyleAccumulator();
  const random = seededRandom("alike");
  for (let at = 0; at < 600; at++) {
    const text = texts[Math.floor(random() * texts.length)]!;
    accumulator.add({ chatId: at % 6, contactId: at % 6, sentAt: null, text, fromOwner: true });
  }
  expect(accumulator.result().style.groups).toEqual([]);
});
