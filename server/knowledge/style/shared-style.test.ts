import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OwnersStyle } from "#contract/quality.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { prepareReply } from "#server/answers/replies/planning/prepare-reply.ts";
import { embeddedReply } from "#server/answers/replies/wording/embedded-reply.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { asTenant, type OpenDatabase, type Tenant } from "#server/platform/db/database.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { buildTenantWithTwin } from "#server/test/factories/build-rows.ts";
import { promptWithoutMessage } from "#server/test/models/read-prompt.ts";
import { sharedStyle } from "./shared-style.ts";
import { OwnersStyleAccumulator } from "./style-groups.ts";

/** Sent to all four people. */
const FOR_ALL = ["привет", "ну щас гляну", "спс)", "кстати все уже готово 🙂", "пока"];
/** Sent to the first two only, much more often. */
const FOR_TWO = ["здарова", "короче я там", "океюшки", "фиг знает", "покеда", "ваще огонь 🦔", "ну ты даешь =^_^="];
/** Sent to the other two, in another style. */
const POLITE = [
  "Здравствуйте. Отправляю вам договор на согласование.",
  "Сообщите, пожалуйста, когда вам удобно принять доставку.",
];
const KNOWN_TO_TWO = ["здарова", "короче", "океюшки", "фиг знает", "покеда", "ваще", "🦔"];

/** @param people contacts with the same `person` are one person */
function measured(people: readonly { contactId: number; person?: number; texts: readonly string[] }[]): OwnersStyle {
  const accumulator = new OwnersStyleAccumulator();
  for (const { contactId, person, texts } of people) {
    for (const [at, text] of texts.entries()) {
      // Each chat is separate, because greetings and farewells are counted at its edges.
      const place = { chatId: contactId, contactId, person: person ?? contactId };
      const sentAt = (minute: number) => new Date(Date.UTC(2026, 0, 1 + at, 9, minute));
      accumulator.add({ ...place, sentAt: sentAt(0), fromOwner: false, text: "привет, как дела? пока" });
      accumulator.add({ ...place, sentAt: sentAt(2), fromOwner: true, text });
    }
  }
  return accumulator.result().style;
}

const often = (texts: readonly string[], times: number) => Array.from({ length: times }, () => texts).flat();
const style = measured(
  [1, 2, 3, 4].map((contactId) => ({
    contactId,
    texts: [...FOR_ALL, ...(contactId <= 2 ? often(FOR_TWO, 8) : often(POLITE, 25))],
  })),
);

/** Yields every object and list of a profile, with its property name. */
function* parts(value: unknown, name = ""): Generator<[string, object]> {
  if (typeof value !== "object" || value === null) return;
  yield [name, value];
  for (const [key, part] of Object.entries(value)) yield* parts(part, Array.isArray(value) ? name : key);
}
/** Leaves out the counts of function words, a closed list that no reply is worded from. */
const textOf = (one: OwnersStyle) => JSON.stringify(one, (key, value) => (key === "functionWords" ? undefined : value));
const namedIn = (text: string) => KNOWN_TO_TWO.filter((word) => text.toLowerCase().includes(word));

describe("the part of a style that may be used for other people", () => {
  test("has only words that at least three people have received, overall and in each group", () => {
    expect(namedIn(textOf(style))).toEqual(KNOWN_TO_TWO);
    expect(style.groups?.length).toBeGreaterThan(0);
    const shared = sharedStyle(style);
    expect(namedIn(textOf(shared))).toEqual([]);
    for (const [name, part] of parts(shared))
      if ("text" in part && name !== "functionWords") expect(part, name).toMatchObject({ people: 4 });
    expect(shared.greetings.top.map(({ text }) => text)).toEqual(["привет"]);
    expect(shared.colloquial.top.map(({ text }) => text)).toContain("щас");
    expect(shared.emoji.top.map(({ text }) => text)).toEqual(["🙂"]);
  });

  test("contains no sentence of a private message in any place for examples", () => {
    const sentences = (one: OwnersStyle) =>
      [...parts(one)].filter(([name]) => name === "examples" || name === "further").map(([, list]) => list);
    expect(sentences(style).flat().length).toBeGreaterThan(10);
    const letters = new Set([...FOR_ALL, ...FOR_TWO, ...POLITE].filter((text) => text.includes(" ")));
    const strings = (one: OwnersStyle) => [...JSON.stringify(one).matchAll(/"([^"]*)"/g)].map(([, text]) => text!);
    expect(strings(style).some((text) => letters.has(text) && text !== "фиг знает")).toBe(true);
    expect(strings(sharedStyle(style)).filter((text) => letters.has(text))).toEqual([]);
    for (const [name, list] of parts(sharedStyle(style))) {
      expect(name).not.toBe("further");
      if (name === "examples" && Array.isArray(list)) expect(list).toEqual([]);
    }
  });

  test("keeps every figure unchanged", () => {
    const WORDS = new Set(["top", "examples", "favourites", "self", "phrases", "setPhrases", "further"]);
    const figures = (one: OwnersStyle): OwnersStyle =>
      JSON.parse(JSON.stringify(one, (key, value) => (WORDS.has(key) ? undefined : value)));
    expect(figures(sharedStyle(style))).toEqual(figures(style));
    expect(figures(style)).toMatchObject({ messages: 232, chats: 4, lowerCaseStart: { share: expect.any(Number) } });
  });

  test("includes a word from the third person on, and two contacts who are one person count once", () => {
    const to = (...people: number[]) =>
      people.map((person, at) => ({ contactId: at + 1, person, texts: ["здарова", "ваще огонь 🦔"] }));
    const words = (people: Parameters<typeof measured>[0]) => namedIn(textOf(sharedStyle(measured(people))));
    expect(words(to(1, 2))).toEqual([]);
    expect(words(to(1, 2, 2))).toEqual([]);
    expect(words(to(1, 2, 3))).toEqual(["здарова", "ваще", "🦔"]);
  });

  test("counts contacts who are one person once in their group too, also where the overall profile does not list the word", () => {
    // The polite contacts are numerous enough to fill the overall list with emoji of their own.
    const EMOJI = ["🌷", "🌹", "🌻", "🌼", "🌺", "🍀", "🍁", "🍂"];
    const friend = { person: 2, texts: often(["ваще огонь 🦔", "ну ты где"], 20) };
    const client = (contactId: number) => ({
      contactId,
      texts: often(
        EMOJI.map((emoji) => `${POLITE[0]} ${emoji}`),
        35,
      ),
    });
    const hidden = (...people: number[]) =>
      sharedStyle(
        measured([...people.map((person, at) => ({ ...friend, person, contactId: at + 1 })), client(8), client(9)]),
      );
    expect(textOf(hidden(1, 2, 3))).toContain("🦔");
    expect(hidden(1, 2, 2).groups?.length).toBeGreaterThan(1);
    expect(textOf(hidden(1, 2, 2))).not.toContain("🦔");
  });

  test("does not count members of group chats, who may have private chats as well", () => {
    const accumulator = new OwnersStyleAccumulator();
    for (const contactId of [1, 2, null])
      accumulator.add({ chatId: contactId ?? "group", contactId, sentAt: null, fromOwner: true, text: "здарова" });
    expect(namedIn(textOf(sharedStyle(accumulator.result().style)))).toEqual([]);
  });

  test("has no words of profiles that did not count people", () => {
    const uncounted = JSON.parse(JSON.stringify(style), (key, value) => (key === "people" ? undefined : value));
    const texts = [...parts(sharedStyle(uncounted))].filter(
      ([name, part]) => "text" in part && name !== "functionWords",
    );
    expect(texts).toEqual([]);
  });
});

describe("a reply in the owner's style", () => {
  let database: OpenDatabase;
  let tenant: Tenant;
  let twinId: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    ({ tenant, twinId } = await buildTenantWithTwin(database.db, { styleProfile: style }));
  });
  afterAll(() => database.close());

  const MESSAGES = [
    "Здарова!",
    "Привет, как дела?",
    "Спасибо!",
    "Пока",
    "ок",
    "Сколько стоит доставка?",
    "Мы приехали",
  ];
  /** Collects all prompts, and the embedded generator's replies with each of thirty seeds. */
  const heardBy = (audience: Audience): Promise<{ prompts: string; said: string }> =>
    asTenant(database.db, tenant, async (tx) => {
      const contactId = audience.kind === "contact" ? audience.contactId : null;
      const opened = await openTwin(tx, tenant, twinId, { contactId });
      const [group] = style.groups!;
      const contact = contactId === null ? {} : { contact: { notes: [], address: null, styleGroup: group!.key } };
      const prompts: string[] = [];
      const said: string[] = [];
      for (const message of MESSAGES) {
        const asked = { ...opened, ...contact, message, history: [], audience, queryEmbedding: null };
        prompts.push(promptWithoutMessage(await prepareReply({ ...asked, seed: "1", generator: "llm" })));
        const request = await prepareReply({ ...asked, seed: "1", generator: "embedded" });
        for (let seed = 0; seed < 30; seed++) said.push(embeddedReply({ ...request, seed: String(seed) }));
      }
      return { prompts: prompts.join("\n"), said: said.join("\n") };
    });

  test("contains a word that fewer than three people have received only for the owner, and so does a model's prompt", async () => {
    const owner = await heardBy({ kind: "owner" });
    expect(namedIn(owner.prompts).length).toBeGreaterThan(3);
    expect(namedIn(owner.said).length).toBeGreaterThan(0);
    const others: Audience[] = [{ kind: "stranger" }, { kind: "member" }, { kind: "contact", contactId: 1 }];
    for (const audience of others) {
      const { prompts, said } = await heardBy(audience);
      expect(namedIn(prompts), audience.kind).toEqual([]);
      expect(namedIn(said), audience.kind).toEqual([]);
      // The style itself must not be lost.
      expect(prompts).toContain("Вы пишете коротко");
      expect(prompts).toContain("«щас»");
    }
  });
});
