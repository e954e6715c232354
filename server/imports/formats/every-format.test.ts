import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { randomRuns } from "#server/test/random-runs.ts";
import { chatCsv } from "./chat-csv.ts";
import { discordJson } from "./discord-json.ts";
import { type ExportFormat, type ImportEvent, isStorable } from "./message.ts";
import { metaJson } from "./meta-json.ts";
import { withoutMojibake } from "./parts/mojibake.ts";
import { detectFormat } from "./registry.ts";
import { slackExport } from "./slack-export.ts";
import { telegramHtml } from "./telegram-html.ts";
import { vkHtml } from "./vk-html.ts";

const folder = join(import.meta.dirname, "samples");
const samples = readdirSync(folder)
  .filter((name) => !name.endsWith(".expected.json") && statSync(join(folder, name)).isFile())
  .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));

async function read(format: ExportFormat, bytes: Buffer, size = bytes.length): Promise<ImportEvent[]> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const events: ImportEvent[] = [];
  for await (const event of format.read(pieces())) events.push(event);
  return events;
}

const messagesOf = (events: ImportEvent[]) =>
  events.flatMap((event) => (event.type === "message" ? [event.message] : []));

/** Texts with emoji, right-to-left and invisible characters, NUL, lone surrogates, each format's own signs, and very long lines. */
const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.constantFrom(
          "👩‍👩‍👧",
          "שלום",
          "\u200e",
          "\0",
          "\ud83d",
          "\udc00",
          '"',
          '""',
          "\\",
          "}]",
          ";",
          ",",
          "\r\n",
          "a",
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom("ы".repeat(100_000), `${"x".repeat(99_999)}\u{1f600}`) },
);

const discordOf = (texts: string[]) =>
  JSON.stringify({
    guild: { id: "0" },
    channel: { id: "1", type: "DirectTextChat", name: "anna" },
    messages: texts.map((content, at) => ({
      id: String(at),
      type: "Default",
      timestamp: "2024-03-12T14:05:00Z",
      content,
      author: { id: "5", name: "anna" },
    })),
  });

/** The newest message comes first, as Meta writes it. */
const metaOf = (texts: string[]) =>
  JSON.stringify({
    participants: [{ name: "anna" }],
    messages: texts.map((content) => ({ sender_name: "anna", timestamp_ms: 1_710_000_000_000, content })).reverse(),
    title: "anna",
    thread_path: "inbox/anna_5",
  });

/** Enough plain words, so that a file with some NULs is still recognised as text. */
const PLAIN = "Обычные слова обычной переписки. ".repeat(20);
const csvOf = (texts: string[]) =>
  `author,text,${PLAIN}\n${texts.map((text) => `anna,"${text.replaceAll('"', '""')}"\n`).join("")}`;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const telegramPageOf = (texts: string[]) =>
  `<!DOCTYPE html>\n<html><body><div class="page_body chat_page">${texts
    .map(
      (text, at) => `<div class="message default clearfix" id="message${at}"><div class="body">
<div class="from_name">\nАнна\n</div><div class="text">\n${escaped(text).replaceAll("\n", "<br>")}\n</div></div></div>`,
    )
    .join("")}</div></body></html>`;
/** In HTML, spaces at line ends and tabs are only separators, so the text loses them. */
const onPage = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\r\t ]+/g, " ")
    .replace(/ *\n */g, "\n")
    .trim();

test.each([
  ["Discord", discordJson, discordOf, (text: string) => text],
  ["Meta", metaJson, metaOf, withoutMojibake],
  // A file in UTF-8 cannot contain half a surrogate pair, so it was lost when the table was written.
  ["a table", chatCsv, csvOf, (text: string) => text.toWellFormed()],
  ["Telegram's page", telegramHtml, telegramPageOf, onPage],
])("%s: any text comes out as it went in, or is rejected", async (_name, format, write, written) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { maxLength: 6 }), fc.integer({ min: 5, max: 5000 }), async (texts, size) => {
      const events = await read(format, Buffer.from(write(texts)), size);
      const kept = texts.map(written).filter(isStorable);
      expect(messagesOf(events).map(({ text }) => text)).toEqual(kept);
      expect(events.filter((event) => event.type === "rejected")).toHaveLength(texts.length - kept.length);
      expect(events.at(-1)).toEqual({ type: "end", incomplete: false });
    }),
    { numRuns: randomRuns(40) },
  );
});

test("Slack: any text is read unchanged or rejected", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 6 }), async (texts) => {
      const day = texts.map((text, at) => ({
        type: "message",
        ts: `17102520${10 + at}.000100`,
        user: "U1",
        text: escaped(text),
      }));
      const files = Object.entries({ "users.json": [{ id: "U1", name: "anna" }], "general/2024-03-12.json": day }).map(
        ([name, value]) => {
          const bytes = Buffer.from(JSON.stringify(value));
          return {
            name,
            size: bytes.length,
            async *open() {
              yield bytes;
            },
          };
        },
      );
      const events: ImportEvent[] = [];
      for await (const event of slackExport.read(files)) events.push(event);
      const kept = texts.filter(isStorable);
      expect(messagesOf(events).map(({ text }) => text)).toEqual(kept);
      expect(events.filter((event) => event.type === "rejected")).toHaveLength(texts.length - kept.length);
    }),
    { numRuns: randomRuns(40) },
  );
});

test("a truncated or damaged file of any format yields exactly one end event, and messages before the damage are unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.option(fc.uint8Array({ minLength: 1, maxLength: 8 })),
      async ({ name, bytes }, place, noise) => {
        const format = detectFormat(bytes)!;
        const at = place % bytes.length;
        const broken = noise === null ? bytes.subarray(0, at) : Buffer.from(bytes);
        if (noise !== null) broken.set(noise.subarray(0, bytes.length - at), at);
        const events = await read(format, broken);
        expect(events, name).toEqual(await read(format, broken, 100));
        expect(events.filter((event) => event.type === "end")).toHaveLength(1);
        expect(events.at(-1)!.type).toBe("end");
        if (noise !== null || !/json|html/.test(format.name)) return;
        expect(events.at(-1)).toMatchObject({ incomplete: true });
        const whole = new Set(messagesOf(await read(format, bytes)).map(({ text }) => text));
        for (const { text } of messagesOf(events)) expect(whole).toContain(text);
      },
    ),
    { numRuns: randomRuns(150) },
  );
});

test.each([
  ["Telegram's page", telegramHtml, '<div class="message default clearfix" id="message1"><div class="body">'],
  [
    "VK's page",
    vkHtml,
    '<div class="item"><div class="item__main"><div class="message" data-id="1"><div class="message__header">',
  ],
])("%s nested deeper than any program writes is rejected, and the rest is read", async (_name, format, opening) => {
  const page = `<!DOCTYPE html><html><body>${"<b>".repeat(20_000)}<div class="page_body chat_page">${opening}${"<b>".repeat(20_000)}</div></div></body></html>`;
  const events = await read(format, Buffer.from(page));
  expect(messagesOf(events)).toEqual([]);
  expect(events.at(-1)?.type).toBe("end");
});
