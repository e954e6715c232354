import fc from "fast-check";
import { expect, test } from "vitest";
import { messagesOf, page, read, said } from "#server/test/imports/meta-json.ts";
import { metaJson } from "./meta-json.ts";
import { withoutMojibake } from "./parts/mojibake.ts";
import { detectFormat } from "./registry.ts";

const bytesAsLetters = (text: string) => Buffer.from(text).toString("latin1");

test("letters that Meta wrote as bytes are put together again, and only those", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 40 }), async (text) => {
      expect(withoutMojibake(bytesAsLetters(text))).toBe(text);
      // A letter that fits no byte shows that the text has no mojibake.
      expect(withoutMojibake(`${text}ы`)).toBe(`${text}ы`);
    }),
  );
  for (const right of [
    "",
    "plain",
    "café",
    "naïve «да»",
    "Ça va, à demain!",
    "±5 °C",
    "\u00d0",
    "Привет \u00d0\u009f",
  ]) {
    expect(withoutMojibake(right), right).toBe(right);
  }
});

test("system messages are told apart from what people say", async () => {
  const kinds = async (raw: object) => messagesOf(await read(page([raw])))[0]!.kind;
  expect(await kinds(said("You sent an attachment."))).toBe("service");
  expect(await kinds(said("Anna Petrova sent a photo."))).toBe("service");
  expect(await kinds(said("I sent a photo. Did you get it?"))).toBe("text");
  expect(await kinds(said("Reacted 😂 to your message "))).toBe("service");
  expect(await kinds(said("Да", { share: { link: "https://shop.example" } }))).toBe("text");
  expect(await kinds(said(undefined, { share: { link: "https://shop.example" } }))).toBe("media");
  expect(await kinds(said("Anna called you.", { call_duration: 0 }))).toBe("service");
  expect(await kinds(said("Да", { is_unsent: false }))).toBe("text");
  expect(await kinds(said(null, { sticker: { uri: "a.png" } }))).toBe("media");
});

test("a chat keeps its id when it moves to the archive, and is named after its people where it has no name", async () => {
  const chatOf = async (more: object) => (await read(page([said("Да")], more)))[0];
  const inInbox = await chatOf({ thread_path: "inbox/ivan_17" });
  expect(inInbox).toEqual({ type: "chat", chat: { id: "meta-ivan_17", name: "Ivan", kind: "private" } });
  expect(await chatOf({ thread_path: "archived_threads/ivan_17" })).toEqual(inInbox);
  const people = [1, 2, 3].map((at) => ({ name: bytesAsLetters(`Человек ${at}`) }));
  expect(await chatOf({ title: "", participants: people })).toMatchObject({
    chat: { name: "Человек 1, Человек 2, Человек 3", kind: "group" },
  });
});

test.each([
  ["people that are no people", page([said("Да")], { participants: [null, 5, {}, { name: 7 }, { name: "\0" }] })],
  ["no people", page([said("Да")], { participants: "x" })],
  ["a name of many letters", page([said("Да")], { title: "ы".repeat(500_000), thread_path: "a/".repeat(100_000) })],
  ["a share that is none", page([said("Да", { share: null }), said("Да", { share: 5 })])],
])("%s: the messages are read nevertheless", async (_name, content) => {
  const events = await read(content);
  expect(messagesOf(events).every(({ text }) => text === "Да")).toBe(true);
  expect(messagesOf(events).length).toBeGreaterThan(0);
  expect(events.at(-1)).toEqual({ type: "end", incomplete: false });
});

test("unreadable parts of a page are reported, and the rest is imported", async () => {
  const events = await read(
    page([
      said("раз"),
      said(5),
      { timestamp_ms: 1, content: "ничей" },
      said("\ud83d"),
      7,
      said("два", { timestamp_ms: 1e99 }),
    ]),
  );
  expect(messagesOf(events).map(({ text, sentAt, line }) => [text, sentAt === null, line])).toEqual([
    ["два", true, 5],
    ["раз", false, 1],
  ]);
  expect(events.filter(({ type }) => type === "rejected")).toHaveLength(3);
  const whole = page(Array.from({ length: 50 }, (_, at) => said(`слово ${at}`)));
  const cut = await read(whole.slice(0, whole.length / 2), 7);
  expect(messagesOf(cut).length).toBeGreaterThan(20);
  // The file has the newest message first; events come oldest first.
  expect(messagesOf(cut).at(-1)!.text).toBe("слово 0");
  expect(cut.at(-1)).toMatchObject({ type: "end", incomplete: true });
  expect((await read(page({}))).at(-1)).toMatchObject({ type: "end" });
});

test("a page is known by its content alone", () => {
  expect(detectFormat(Buffer.from(page([said("Да")])))?.name).toBe("meta-json");
  expect(detectFormat(Buffer.from(page([], { thread_path: "inbox/a" })))?.name).toBe("meta-json");
  expect(metaJson.detect(Buffer.from('{"participants":[],"messages":[]}'))).toBe(false);
  expect(metaJson.detect(Buffer.from('{"messages":[{"role":"user","content":"Да"}]}'))).toBe(false);
});
