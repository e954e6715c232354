import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomRuns } from "#server/test/random-runs.ts";
import { type ImportEvent, isStorable, MAX_MESSAGE_BYTES, reasons } from "./message.ts";
import { telegramJson } from "./telegram-json.ts";

async function read(bytes: Buffer, cuts: number[] = []): Promise<ImportEvent[]> {
  async function* pieces() {
    let start = 0;
    for (const cut of [...cuts.map((each) => each % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
      yield bytes.subarray(start, cut);
      start = cut;
    }
  }
  const events: ImportEvent[] = [];
  for await (const event of telegramJson.read(pieces())) events.push(event);
  return events;
}

const messagesOf = (events: ImportEvent[]) =>
  events.flatMap((event) => (event.type === "message" ? [event.message] : []));
const rejectedOf = (events: ImportEvent[]) => events.filter((event) => event.type === "rejected");

function chatOf(texts: string[], indent: number | string = 1): Buffer {
  const messages = texts.map((text, at) => ({
    id: at + 1,
    type: "message",
    date_unixtime: String(1_700_000_000 + at),
    from: "Анна",
    from_id: "user5",
    text: at % 2 ? text : [text.slice(0, 3), { type: "bold", text: text.slice(3) }],
    text_entities: [{ type: "plain", text }],
  }));
  return Buffer.from(JSON.stringify({ name: "Чат", type: "personal_chat", id: 7, messages }, null, indent));
}

/** Texts with emoji, right-to-left and invisible characters, NUL, lone surrogates, JSON's own signs, and very long lines. */
const anyText = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 4, arbitrary: fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 30 }) },
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.constantFrom(
          "👩‍👩‍👧",
          "שלום",
          "\u200e",
          "\u202f",
          "\0",
          "\ud83d",
          "\udc00",
          '"',
          "\\",
          "}",
          "]",
          "{",
          "[",
          "\n  {",
          "\n ]",
          "\\x41",
          "é",
          "\r\n",
          "Анна: ",
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom("ы".repeat(100_000), `${"x".repeat(99_999)}\u{1f600}`) },
);

describe("reading result.json", () => {
  test("any text comes out as it went in or is rejected with its number, however the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { maxLength: 8 }),
        fc.constantFrom(0, 1, 2, "\t"),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (texts, indent, cuts) => {
          const bytes = chatOf(texts, indent);
          const events = await read(bytes, cuts);
          expect(events).toEqual(await read(bytes));
          const kept = messagesOf(events);
          expect(kept.map(({ line, text }) => [line, text])).toEqual(
            texts.flatMap((text, at) => (isStorable(text) ? [[at + 1, text]] : [])),
          );
          expect(rejectedOf(events)).toEqual(
            texts.flatMap((text, at) =>
              isStorable(text) ? [] : [{ type: "rejected", line: at + 1, reason: reasons.notStorable }],
            ),
          );
          expect(events.at(-1)).toEqual({ type: "end", incomplete: false });
        },
      ),
      { numRuns: randomRuns(150) },
    );
  });

  test("a file cut at any byte keeps every whole message and says that it is incomplete", async () => {
    for (const indent of [0, 1]) {
      const bytes = chatOf(["привет", 'скобки } ] { [ " \\', "", "конец 👩‍👩‍👧"], indent);
      const whole = messagesOf(await read(bytes));
      const ends = whole.map((_, at) => bytes.indexOf(`"id":${indent ? " " : ""}${at + 2},`) - 1);
      for (let length = 0; length < bytes.length; length++) {
        const events = await read(bytes.subarray(0, length));
        expect(events.at(-1)).toMatchObject({ type: "end", incomplete: true });
        const kept = messagesOf(events);
        expect(kept).toEqual(whole.slice(0, kept.length));
        expect(kept.length).toBeGreaterThanOrEqual(ends.filter((end) => end >= 0 && end <= length).length);
      }
    }
  });

  test("any bytes at all end in one end event", async () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(
          fc.constantFrom(
            "{",
            "}",
            "[",
            "]",
            '"',
            "\\",
            ",",
            ":",
            '"messages":[',
            '"list"',
            '"chats":{',
            "\n {",
            "1",
            " ",
            "null",
          ),
          { maxLength: 40 },
        )
        .map((parts) => Buffer.from(`{${parts.join("")}`)),
    );
    await fc.assert(
      fc.asyncProperty(noise, fc.array(fc.nat(), { maxLength: 3 }), async (bytes, cuts) => {
        const events = await read(bytes, cuts);
        expect(events.filter((event) => event.type === "end").length).toBe(1);
        expect(events.at(-1)?.type).toBe("end");
        expect(events).toEqual(await read(bytes));
      }),
      { numRuns: randomRuns(500) },
    );
  });

  test("a damaged byte costs the message it is in, and the others stay", async () => {
    const texts = Array.from({ length: 12 }, (_, at) => `сообщение номер ${at}`);
    const bytes = chatOf(texts);
    const first = bytes.indexOf('"id": 1,');
    const last = bytes.indexOf('"id": 12,');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: first, max: last - 10 }),
        fc.constantFrom(...'"\\{}[],x'),
        async (at, damage) => {
          const damaged = Buffer.from(bytes);
          damaged[at] = damage.charCodeAt(0);
          const events = await read(damaged);
          expect(
            messagesOf(events).filter(({ text }, _, all) => texts.includes(text) && all.length > 0).length,
          ).toBeGreaterThanOrEqual(10);
        },
      ),
      // A bracket with the indentation of a message looks like the end of the list.
      { numRuns: randomRuns(300), examples: [[2532, "]"]] },
    );
  });

  test("a stray quote in a chat's last message does not reach into the next chat", async () => {
    const list = ["один", "два"].map((text, at) => ({
      name: "А",
      type: "personal_chat",
      id: at,
      messages: [{ id: 1, type: "message", text }],
    }));
    const bytes = JSON.stringify({ chats: { list } }, null, 1).replace('"один"', '"од"ин"');
    const events = await read(Buffer.from(bytes));
    expect(messagesOf(events).map(({ text, chatId }) => [chatId, text])).toEqual([["user1", "два"]]);
    expect(rejectedOf(events).length).toBe(1);
    expect(events.at(-1)).toEqual({ type: "end", incomplete: false });
  });

  test("a message above 4 MB is rejected and those after it are read", async () => {
    for (const indent of [0, 1]) {
      const events = await read(chatOf(["до", "ы".repeat(MAX_MESSAGE_BYTES / 2), "после"], indent));
      expect(messagesOf(events).map(({ text }) => text)).toEqual(["до", "после"]);
      expect(rejectedOf(events)).toEqual([{ type: "rejected", line: 2, reason: reasons.tooLong }]);
      expect(events.at(-1)).toEqual({ type: "end", incomplete: false });
    }
  });

  test("broken UTF-8 is rejected, a real replacement character is not", async () => {
    const bytes = chatOf(["знак \uFFFD цел", "байт ?? сломан"]);
    bytes[bytes.lastIndexOf("??")] = 0xff;
    const events = await read(bytes);
    expect(messagesOf(events).map(({ text }) => text)).toEqual(["знак \uFFFD цел"]);
    expect(rejectedOf(events)).toEqual([{ type: "rejected", line: 2, reason: reasons.notUtf8 }]);
  });

  test("in a chat of two the author who is not the other one is suggested as the owner", async () => {
    const message = (id: number, from: string) => ({
      id,
      type: "message",
      date_unixtime: "1700000000",
      from,
      from_id: from,
      text: "да",
    });
    const chat = (messages: unknown[]) =>
      Buffer.from(JSON.stringify({ name: "Анна", type: "personal_chat", id: 5, messages }));
    const owners = async (bytes: Buffer) => (await read(bytes)).filter((event) => event.type === "owner");
    expect(await owners(chat([message(1, "user5"), message(2, "user9")]))).toEqual([
      { type: "owner", authorId: "user9" },
    ]);
    expect(await owners(chat([message(1, "user8"), message(2, "user9")]))).toEqual([]);
  });

  test("a time without Unix seconds is local to the zone asked for", async () => {
    const bytes = Buffer.from(
      '{"name":"Чат","type":"personal_chat","id":1,"messages":[{"id":1,"type":"message","date":"2020-01-01T12:00:00","from":"А","from_id":"user1","text":"да"}]}',
    );
    const events: ImportEvent[] = [];
    for await (const event of telegramJson.read(
      (async function* () {
        yield bytes;
      })(),
      { timeZone: "Asia/Vladivostok" },
    ))
      events.push(event);
    expect(messagesOf(events)[0]?.sentAt?.toISOString()).toBe("2020-01-01T02:00:00.000Z");
  });
});
