import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type DemoSlug, type DemoTwin, demoSlugs, loadDemoContent } from "./demo-content.ts";

const twins = new Map<DemoSlug, DemoTwin>();
beforeAll(async () => {
  for (const twin of await loadDemoContent()) twins.set(twin.slug, twin);
});

const messagesOf = (slug: DemoSlug) => twins.get(slug)!.conversations.flatMap((conversation) => conversation.messages);
const ownerTexts = (slug: DemoSlug) =>
  messagesOf(slug)
    .filter((message) => message.fromOwner)
    .map((message) => message.text);
const share = (texts: string[], pattern: RegExp) => texts.filter((text) => pattern.test(text)).length / texts.length;
const outsideWords = "(?<![а-яё])";
const formalAddress = new RegExp(`${outsideWords}(вы|вас|вам|ваш\\p{L}*|подскажите|пришлите|давайте)(?!\\p{L})`, "iu");
const familiarAddress = new RegExp(`${outsideWords}(ты|тебя|тебе|твой|давай|приезжай|пиши)(?!\\p{L})`, "iu");

describe.each(demoSlugs)("the demo twin %s", (slug) => {
  it("has 4 to 6 documents of 150 to 600 words, each opening with its title", () => {
    const { documents } = twins.get(slug)!;
    expect(documents.length).toBeGreaterThanOrEqual(4);
    expect(documents.length).toBeLessThanOrEqual(6);
    for (const document of documents) {
      const words = document.content.split(/\s+/).length;
      expect(words, document.name).toBeGreaterThanOrEqual(150);
      expect(words, document.name).toBeLessThanOrEqual(600);
      expect(document.content, document.name).toMatch(/^# \S.*\n/);
    }
  });

  it("leaves no document in its folder unnamed", async () => {
    const files = await readdir(join(import.meta.dirname, slug, "documents"));
    expect(twins.get(slug)!.documents).toHaveLength(files.length);
  });

  it("has at least 12 conversations with 6 people, 160 messages and 90 of the owner", () => {
    const { conversations } = twins.get(slug)!;
    expect(conversations.length).toBeGreaterThanOrEqual(12);
    expect(new Set(conversations.map((conversation) => conversation.participantName)).size).toBeGreaterThanOrEqual(6);
    expect(messagesOf(slug).length).toBeGreaterThanOrEqual(160);
    expect(ownerTexts(slug).length).toBeGreaterThanOrEqual(90);
  });

  it("was written between February and October 2026, each conversation in order of time and by both sides", () => {
    for (const { participantName, messages } of twins.get(slug)!.conversations) {
      const times = messages.map((message) => Date.parse(message.sentAt));
      for (const [index, time] of times.entries()) {
        if (index > 0) expect(time, `${participantName}, ${messages[index]!.text}`).toBeGreaterThan(times[index - 1]!);
      }
      expect(times[0]!).toBeGreaterThan(Date.parse("2026-02-01T00:00:00+03:00"));
      expect(times.at(-1)!).toBeLessThan(Date.parse("2026-11-01T00:00:00+03:00"));
      expect(new Set(messages.map((message) => message.fromOwner)).size).toBe(2);
      expect(messages.every((message) => message.sentAt.endsWith("+03:00"))).toBe(true);
    }
  });

  it("has 6 questions whose expected words stand in its documents, and one it cannot know", () => {
    const { questions, documents } = twins.get(slug)!;
    expect(questions).toHaveLength(6);
    expect(questions.filter((question) => question.kind === "unknown")).toHaveLength(1);
    for (const question of questions) {
      if (question.kind === "fact") expect(question.expect, question.text).not.toBeNull();
      if (question.kind === "unknown") expect(question.expect, question.text).toBeNull();
      const expected = question.expect;
      if (expected) expect(documents.filter(({ content }) => expected.test(content)).length, question.text).not.toBe(0);
    }
  });

  it("has three replies that its owner has opened to all, each of one message of his", () => {
    const { opened } = twins.get(slug)!;
    expect(opened).toHaveLength(3);
    for (const { said } of opened)
      expect(
        ownerTexts(slug).filter((text) => text.includes(said)),
        said,
      ).toHaveLength(1);
  });

  it("names only phone numbers that belong to nobody and addresses of example.ru", () => {
    const { documents } = twins.get(slug)!;
    const everything = [...documents.map((document) => document.content), ...messagesOf(slug).map(({ text }) => text)];
    for (const text of everything) {
      for (const phone of text.match(/\+7[\d\s()-]{9,}/g) ?? []) expect(phone).toMatch(/^\+7 900 000-00-\d\d\s*$/);
      for (const address of text.match(/\S+@[\w.-]+\w/g) ?? []) expect(address).toMatch(/@example\.ru$/);
    }
  });

  it("holds on paper every price and share that the owner names to more than one person", () => {
    const known = new Set(
      twins.get(slug)!.documents.flatMap(({ content }) => content.match(/\d[\d ]*(,\d+)? (?=₽|%)/g) ?? []),
    );
    // A total is computed for one customer; a number told to several people must be a price or a rule.
    const peopleByFigure = new Map<string, Set<string>>();
    for (const conversation of twins.get(slug)!.conversations) {
      for (const message of conversation.messages.filter(({ fromOwner }) => fromOwner)) {
        for (const figure of message.text.match(/\d[\d ]*(,\d+)? (?=₽|%)/g) ?? []) {
          peopleByFigure.set(figure, (peopleByFigure.get(figure) ?? new Set()).add(conversation.participantName));
        }
      }
    }
    const recurring = [...peopleByFigure].filter(([, people]) => people.size > 1).map(([figure]) => figure);
    expect(recurring.filter((figure) => !known.has(figure))).toEqual([]);
  });
});

describe("the manners of the three owners", () => {
  it("tell them apart by the first letter and the last mark", () => {
    expect(share(ownerTexts("private-person"), /^\p{Ll}/u)).toBeGreaterThan(0.85);
    expect(share(ownerTexts("shop-support"), /^\p{Ll}/u)).toBe(0);
    expect(share(ownerTexts("sales-manager"), /^\p{Ll}/u)).toBe(0);

    expect(share(ownerTexts("shop-support"), /\.$/)).toBeGreaterThan(0.7);
    expect(share(ownerTexts("sales-manager"), /\.$/)).toBeLessThan(0.05);
    expect(share(ownerTexts("private-person"), /\.$/)).toBe(0);

    expect(share(ownerTexts("sales-manager"), /!/)).toBeGreaterThan(0.9);
    expect(share(ownerTexts("private-person"), /!/)).toBe(0);
  });

  it("tell them apart by «ты» and «вы»", () => {
    for (const slug of ["shop-support", "sales-manager"] as const) {
      expect(share(ownerTexts(slug), formalAddress), slug).toBeGreaterThan(0.05);
      expect(share(ownerTexts(slug), familiarAddress), slug).toBe(0);
    }
    expect(share(ownerTexts("private-person"), familiarAddress)).toBeGreaterThan(0.08);
    // «на вы» is spoken about once or twice.
    expect(share(ownerTexts("private-person"), formalAddress)).toBeLessThan(0.01);
  });

  it("tell them apart by brackets, fillers, lists and emoji", () => {
    const fillers = /(^|\s)(ну|короче|типа|щас|ваще|чё)(?!\p{L})/iu;
    expect(share(ownerTexts("private-person"), fillers)).toBeGreaterThan(0.2);
    expect(share(ownerTexts("private-person"), /\){3}$/)).toBeGreaterThan(0.15);
    for (const slug of ["shop-support", "sales-manager"] as const) {
      expect(share(ownerTexts(slug), fillers), slug).toBe(0);
      expect(share(ownerTexts(slug), /\){2}/), slug).toBe(0);
    }
    expect(share(ownerTexts("sales-manager"), /\n1\) /)).toBeGreaterThan(0.15);
    expect(share(ownerTexts("shop-support"), /\n/)).toBe(0);
    const emoji = share(ownerTexts("shop-support"), /\p{Extended_Pictographic}/u);
    expect(emoji).toBeGreaterThan(0.01);
    expect(emoji).toBeLessThan(0.1);
  });

  it("show in bursts: the private person sends more messages in a row than the others", () => {
    const perTurn = (slug: DemoSlug) => {
      const messages = messagesOf(slug);
      const turns = messages.filter((message, index) => message.fromOwner && !messages[index - 1]?.fromOwner).length;
      return ownerTexts(slug).length / turns;
    };
    expect(perTurn("private-person")).toBeGreaterThan(1.6);
    expect(perTurn("sales-manager")).toBeLessThan(1.4);
  });
});
