import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomRuns } from "#server/test/random-runs.ts";
import { type ImportEvent, type ReadOptions, reasons } from "../message.ts";
import { whatsappTxt } from "./whatsapp-txt.ts";

async function read(bytes: Buffer | string, cuts: number[] = [], options: ReadOptions = {}): Promise<ImportEvent[]> {
  const all = Buffer.from(bytes);
  async function* pieces() {
    let start = 0;
    for (const cut of [...cuts.map((each) => each % (all.length + 1)).sort((a, b) => a - b), all.length]) {
      yield all.subarray(start, cut);
      start = cut;
    }
  }
  const events: ImportEvent[] = [];
  for await (const event of whatsappTxt.read(pieces(), options)) events.push(event);
  return events;
}

const messagesOf = (events: ImportEvent[]) =>
  events.flatMap((event) => (event.type === "message" ? [event.message] : []));
const timesOf = (events: ImportEvent[]) => messagesOf(events).map(({ sentAt }) => sentAt?.toISOString().slice(0, 16));

/** Text that the format can represent: no line looks like a message header or a placeholder. */
const anyText = fc
  .oneof(
    { weight: 8, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
    {
      weight: 4,
      arbitrary: fc
        .array(
          fc.constantFrom(
            "👩‍👩‍👧",
            "שלום",
            "\u202f",
            "\n",
            "\n\n",
            "Анна: ",
            "12:30 - ",
            "[1] ",
            "\u2028",
            "«»",
            "\t",
            "\u200b",
          ),
          { maxLength: 12 },
        )
        .map((parts) => parts.join("")),
    },
    { weight: 1, arbitrary: fc.constantFrom("ы".repeat(100_000), `${"x\n".repeat(50_000)}!`) },
  )
  .map((text) => `с ${text.toWellFormed().replaceAll("\r", "")}.`);

describe("reading a WhatsApp export", () => {
  test("any text comes out as it went in or is rejected with its line, however the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        fc.array(fc.nat(), { maxLength: 6 }),
        async (texts, ios, cuts) => {
          const head = (at: number) =>
            ios ? `[12.03.2024, 14:05:${10 + at}] Анна: ` : `12.03.2024, 14:${10 + at} - Анна: `;
          const file = Buffer.from(texts.map((text, at) => `${head(at)}${text}\n`).join(""));
          const events = await read(file, cuts);
          expect(events).toEqual(await read(file));
          let line = 1;
          const expected = texts.map((text): { line: number; text?: string; reason?: string } => {
            const at = line;
            line += text.split("\n").length;
            return text.includes("\0") ? { line: at, reason: reasons.notStorable } : { line: at, text };
          });
          const came = events.flatMap((event): typeof expected => {
            if (event.type === "rejected") return [{ line: event.line, reason: event.reason }];
            return event.type === "message" ? [{ line: event.message.line, text: event.message.text }] : [];
          });
          expect(came).toEqual(expected);
        },
      ),
      { numRuns: randomRuns(150) },
    );
  });

  test("a file cut at any byte keeps every whole message; where the cut shows, it says so", async () => {
    const file = Buffer.from(
      "[12.03.2024, 14:05:33] Анна: привет\n[12.03.2024, 14:05:40] Пётр: как\nдела? 👩‍👩‍👧\n[13.03.2024, 09:00:00] Анна: норм\n",
    );
    const whole = messagesOf(await read(file));
    const ends = [file.indexOf("\n"), file.lastIndexOf("\n["), file.length - 1];
    for (let length = 0; length < file.length; length++) {
      const events = await read(file.subarray(0, length));
      const kept = messagesOf(events).slice(0, ends.filter((end) => length > end).length);
      expect(kept.map(({ text, sentAt }) => [text, sentAt])).toEqual(
        whole.slice(0, kept.length).map(({ text, sentAt }) => [text, sentAt]),
      );
      expect(kept.length).toBe(ends.filter((end) => length > end).length);
      expect(events.at(-1)?.type).toBe("end");
    }
    const inDate = await read(file.subarray(0, file.lastIndexOf("\n[") + 12));
    expect(inDate.at(-1)).toMatchObject({ type: "end", incomplete: true });
    expect(messagesOf(inDate).length).toBe(2);
    const inCharacter = await read(file.subarray(0, file.indexOf("норм") + 1));
    expect(inCharacter.at(-1)).toMatchObject({ type: "end", incomplete: true });
    expect(inCharacter.filter((event) => event.type === "rejected").length).toBe(1);
  });

  test("any bytes at all end in one end event", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(), { maxLength: 3 }), async (noise, cuts) => {
        const file = Buffer.concat([Buffer.from("12.03.2024, 14:05 - Анна: привет\n"), noise]);
        const events = await read(file, cuts);
        expect(events.filter((event) => event.type === "end").length).toBe(1);
        expect(events).toEqual(await read(file));
      }),
      { numRuns: randomRuns(300) },
    );
  });

  test("day and month are recognised by numbers above 12, else by the order of the dates, else by the locale", async () => {
    const file = (...dates: string[]) => dates.map((date) => `${date} - Анна: да\n`).join("");
    const utc = { timeZone: "UTC" };
    expect(timesOf(await read(file("03/04/24, 10:00", "13/04/24, 10:00"), [], utc))).toEqual([
      "2024-04-03T10:00",
      "2024-04-13T10:00",
    ]);
    expect(timesOf(await read(file("03/04/24, 10:00", "03/14/24, 10:00"), [], utc))).toEqual([
      "2024-03-04T10:00",
      "2024-03-14T10:00",
    ]);
    expect(timesOf(await read(file("01/05/2024, 10:00", "02/01/2024, 10:00", "02/06/2024, 10:00"), [], utc))[0]).toBe(
      "2024-01-05T10:00",
    );
    expect(timesOf(await read(file("05/01/2024, 10:00", "06/01/2024, 10:00", "01/02/2024, 10:00"), [], utc))[0]).toBe(
      "2024-01-05T10:00",
    );
    expect(timesOf(await read(file("3/4/24, 1:00 PM"), [], utc))).toEqual(["2024-03-04T13:00"]);
    expect(timesOf(await read(file("3/4/2024, 1:00 pm"), [], utc))).toEqual(["2024-04-03T13:00"]);
    expect(timesOf(await read(file("3.4.24, 13:00"), [], utc))).toEqual(["2024-04-03T13:00"]);
    expect(timesOf(await read(file("2024-04-03, 13:00"), [], utc))).toEqual(["2024-04-03T13:00"]);
    expect(timesOf(await read(file("31.12.2018 в 10:53"), [], utc))).toEqual(["2018-12-31T10:53"]);
    for (const date of ["31/12/18 alle 10:53", "31-12-2018 om 10:53", "31. 12. 2018 o 10:53", "31.12.2018 о 10:53"])
      expect(timesOf(await read(file(date), [], utc)), date).toEqual(["2018-12-31T10:53"]);
  });

  test("noon and midnight of the twelve-hour clock", async () => {
    const file = ["12:00 AM", "12:00\u202fPM", "1:05 p. m.", "12:30 ДП", "12:30 ПП", "11:59\u00a0пп"]
      .map((time) => `1.02.2024, ${time} - Анна: да\n`)
      .join("");
    expect(timesOf(await read(file, [], { timeZone: "UTC" })).map((time) => time?.slice(11))).toEqual([
      "00:00",
      "12:00",
      "13:05",
      "00:30",
      "12:30",
      "23:59",
    ]);
  });

  test("a pasted excerpt in the other phone's form stays part of its message", async () => {
    const file =
      "[12.03.2024, 14:05:33] Анна: вот что он писал:\n11.03.2024, 10:00 - Пётр: не приду\n[12.03.2024, 14:06:00] Анна: представляешь\n";
    expect(messagesOf(await read(file)).map(({ text }) => text)).toEqual([
      "вот что он писал:\n11.03.2024, 10:00 - Пётр: не приду",
      "представляешь",
    ]);
  });

  test("a line that is not UTF-8 costs its message only, a line above 4 MB too", async () => {
    const broken = Buffer.concat([
      Buffer.from("12.03.2024, 14:05 - Анна: раз\n12.03.2024, 14:06 - Анна: "),
      Buffer.from([0xcf, 0xf0, 0xe8]),
      Buffer.from(`\n12.03.2024, 14:07 - Анна: ${"ы".repeat(2_200_000)}\n12.03.2024, 14:08 - Анна: два\n`),
    ]);
    const events = await read(broken);
    expect(messagesOf(events).map(({ text }) => text)).toEqual(["раз", "два"]);
    expect(events.filter((event) => event.type === "rejected")).toEqual([
      { type: "rejected", line: 2, reason: reasons.notUtf8 },
      { type: "rejected", line: 3, reason: reasons.tooLong },
    ]);
  });

  test("three people make a group, and the file's name can name the chat", async () => {
    const line = (name: string) => `12.03.2024, 14:05 - ${name}: да\n`;
    const chats = async (text: string, fileName?: string) =>
      (await read(text, [], fileName ? { fileName } : {})).flatMap((event) =>
        event.type === "chat" ? [event.chat] : [],
      );
    expect((await chats(line("А") + line("Б") + line("В"))).at(-1)?.kind).toBe("group");
    // The third person writes only after the first 64 KiB, so the chat event repeats.
    const late = await chats(line("А").repeat(4000) + line("Б") + line("В"));
    expect(late.map(({ kind }) => kind)).toEqual(["private", "group"]);
    expect(new Set(late.map(({ id }) => id)).size).toBe(1);
    expect((await chats(line("А"), "Чат WhatsApp с контактом Анна.txt"))[0]?.name).toBe("Анна");
    expect((await chats(line("А"), "WhatsApp Chat with Anna.txt"))[0]?.name).toBe("Anna");
  });

  test("the chat's id stays when the chat has grown, and differs between chats", async () => {
    const begin = "12.03.2024, 14:05 - Анна: привет\n12.03.2024, 14:06 - Пётр: привет!\n";
    const id = async (text: string) =>
      (await read(text)).flatMap((event) => (event.type === "chat" ? [event.chat.id] : []))[0];
    expect(await id(begin + "14.03.2024, 10:00 - Анна: ещё\n".repeat(3000))).toBe(await id(begin));
    expect(await id(begin.replace("Анна", "Ольга"))).not.toBe(await id(begin));
  });
});
