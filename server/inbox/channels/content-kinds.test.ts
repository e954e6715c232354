/** Whatever a contact sends becomes at least one line of his conversation; docs/formats.md tells which, kind by kind. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import { type Fate, unreadLine } from "#server/inbox/channel-protocol/content-kinds.ts";
import { PLATFORM_SAMPLES, sampleOf } from "#server/test/channels/content-samples.ts";
import { richWords } from "./telegram/rich-words.ts";

const [telegram, account, whatsapp, vk, max, slack, discord] = PLATFORM_SAMPLES;
const said = (of: typeof telegram, kind: string) => {
  const { text, attachments } = of!.read(sampleOf(of!, kind)) as Inbound;
  return [text, ...attachments];
};

test.each(PLATFORM_SAMPLES.map((of) => [of.name, of] as const))(
  "%s: each kind is read, has a line, or is no person's message",
  (_, of) => {
    for (const [kind, { fate }] of Object.entries(of.kinds)) {
      const content = sampleOf(of, kind);
      const reported = of.read(content) as Inbound | undefined;
      // Silent content may stand beside words.
      if (fate === "silent" && reported === undefined) continue;
      expect(reported, kind).not.toHaveProperty("unread");
      const { text, attachments, original } = reported!;
      expect([text, ...attachments].join(""), kind).not.toBe("");
      if (fate === "silent") expect(attachments, kind).toEqual([]);
      else
        expect(attachments.join().startsWith("Сообщение, которого двойник не читает: "), kind).toBe(fate === "unread");
      if (fate === "unread" && of !== account)
        expect(JSON.stringify(original), kind).toContain(JSON.stringify(content).slice(1, -1));
    }
  },
);

test.each(PLATFORM_SAMPLES.map((of) => [of.name, of] as const))(
  "%s: content of a kind that nobody knows yet has a line that names it, and is kept whole",
  (_, of) => {
    const reported = of.read(of.unknown) as Inbound;
    expect(reported.attachments.at(-1)).toMatch(/^Сообщение, которого двойник не читает: /);
    if (of !== account) expect(JSON.stringify(reported.original)).toContain(JSON.stringify(of.unknown).slice(1, -1));
    // Also a message in which nothing is found at all.
    expect((of.read({}) as Inbound).attachments).toEqual([unreadLine("")]);
  },
);

test("a table of kinds has no names that every object has", () => {
  for (const kind of ["constructor", "__proto__", "toString"]) {
    expect((telegram!.read({ [kind]: { a: 1 } }) as Inbound).attachments.join()).toContain("не читает");
    expect((whatsapp!.read({ type: kind }) as Inbound).attachments).toEqual([unreadLine(kind)]);
    expect((vk!.read({ attachments: [{ type: kind }] }) as Inbound).attachments).toEqual([unreadLine(kind)]);
    expect((max!.read({ attachments: [{ type: kind }] }) as Inbound).attachments).toEqual([unreadLine(kind)]);
  }
});

test("words, numbers, names and coordinates are read out of what holds them", () => {
  expect(said(telegram, "rich_message")).toEqual([
    "Вопрос\nСколько стоит замена масла?\nи развал?\nМасло | 5W-30\nЧто есть\n[Фото]\nмоя машина\nИван\n[Карта: 55.75, 37.61]",
  ]);
  expect(said(telegram, "contact")).toEqual(["", "Контакт: Борис, +79990001122"]);
  expect(said(telegram, "venue")).toEqual(["", "Место: Сервис, Мира 5, 55.75, 37.61"]);
  expect(said(telegram, "location")).toEqual(["", "Геопозиция: 55.75, 37.61"]);
  expect(said(telegram, "poll")).toEqual(["", "Опрос: Когда приедете? — Суббота / Воскресенье"]);
  expect(said(telegram, "checklist")).toEqual(["", "Список дел: К ТО купить — масло; фильтр"]);
  expect(said(telegram, "dice")).toEqual(["", "Кубик: 🎲 5"]);
  expect(said(telegram, "story")).toEqual(["", "Сообщение, которого двойник не читает: история"]);
  expect(said(account, "messageMediaContact")).toEqual(["", "Контакт: Борис, +79990001122"]);
  expect(said(account, "messageMediaPoll")).toEqual(["", "Опрос: Когда приедете? — Суббота"]);
  expect(said(account, "messageMediaToDo")).toEqual(["", "Список дел: К ТО — масло"]);
  expect(said(whatsapp, "contacts")).toEqual(["", "Контакт: Коля, +7 999 555-66-77"]);
  expect(said(whatsapp, "location")).toEqual(["", "Геопозиция: Офис, Мира 5, 55.75, 37.61"]);
  expect(said(whatsapp, "interactive/nfm_reply")).toEqual([
    "",
    "Ответ на форму: date: 2026-09-20; car: Лада; street: Мира 5",
  ]);
  expect(said(whatsapp, "order")).toEqual(["", "Заказ: 2 × oil-1 по 900 RUB; К субботе"]);
  expect(said(whatsapp, "interactive/list_reply")).toEqual(["Доставка"]);
  expect(said(whatsapp, "unsupported/poll_creation")).toEqual(["", unreadLine("опрос")]);
  expect(said(vk, "fwd_messages")).toEqual(["Сколько стоит масло?\nА фильтр?", "Фото", "Пересланное сообщение"]);
  expect(said(vk, "geo")).toEqual(["", "Геопозиция: Сервис, 55.75, 37.61"]);
  expect(said(max, "contact")).toEqual(["", "Контакт: Коля, +79995556677"]);
  expect(said(max, "location")).toEqual(["", "Геопозиция: 55.75, 37.61"]);
  expect(said(slack, "blocks")).toEqual(["Сколько https://a.test\nстоит масло?"]);
  expect(said(slack, "forwarded")).toEqual(["Сколько стоит замена масла?", "Пересланное сообщение: Коля"]);
  expect(said(slack, "me_message")).toEqual(["машет рукой"]);
  expect(said(discord, "poll")).toEqual(["", "Опрос: Когда приедете? — Суббота / Воскресенье"]);
  expect(said(discord, "message_snapshots")).toEqual(["Сколько стоит масло?", "Пересланное сообщение"]);
});

test("a line that would be too long is cut, and its original is kept", () => {
  const product_items = Array.from({ length: 200 }, (_, at) => ({ product_retailer_id: `деталь-${at}`, quantity: 1 }));
  const { attachments, original } = whatsapp!.read({ type: "order", order: { product_items } }) as Inbound;
  expect(attachments[0]).toMatch(/^Заказ: 1 × деталь-0; .{1900,}…$/);
  expect(JSON.stringify(original)).toContain("деталь-199");
  const nfm_reply = { response_json: "завтра в семь" };
  const form = whatsapp!.read({ type: "interactive", interactive: { type: "nfm_reply", nfm_reply } }) as Inbound;
  expect(form.attachments).toEqual(["Ответ на форму: завтра в семь"]);
});

test("content of another form than documented is a line, never an error", () => {
  const odd = [5, "x", [], [null], { text: 5 }, { blocks: 5 }, { blocks: [null, [5]] }];
  // The library of personal accounts has parsed what it hands over.
  for (const of of PLATFORM_SAMPLES.filter((each) => each !== account)) {
    for (const kind of Object.keys(of.kinds).filter((each) => of.kinds[each]!.fate !== "silent")) {
      const sample = sampleOf(of, kind);
      for (const field of Object.keys(sample).filter(
        (each) => !["type", "subtype", "link", "reaction"].includes(each),
      )) {
        for (const content of odd) {
          const reported = of.read({ ...sample, [field]: content });
          expect(reported, `${of.name} ${kind} ${field}`).toHaveProperty("attachments");
        }
      }
    }
  }
});

test("a formatted message that is nested without end is read as far as a person would read it", () => {
  let nested: unknown = { type: "paragraph", text: "глубоко" };
  for (let depth = 0; depth < 5_000; depth++) nested = { type: "details", summary: "Ещё", blocks: [nested] };
  expect(richWords({ blocks: [nested] }).split("\n").length).toBeLessThan(50);
  const wide = Array.from({ length: 100_000 }, () => ({ type: "paragraph", text: "слово" }));
  expect(richWords({ blocks: wide }).length).toBeLessThan(200_000);
});

const FATES: Record<Fate, string> = {
  read: "читается",
  line: "строка с названием",
  unread: "строка «не читает», подлинник хранится",
  silent: "не сообщение человека",
};
const FORMATS = new URL("../../../docs/formats.md", import.meta.url);

/** The tables of all platforms, as the readers have them. */
function formatTables(): string {
  const tables = PLATFORM_SAMPLES.map(({ name, kinds }) => {
    const rows = Object.entries(kinds).map(
      ([kind, { name: shown, fate }]) => `| \`${kind}\` | ${shown} | ${FATES[fate]} |`,
    );
    return `### ${name}\n\n| kind | name | becomes |\n| --- | --- | --- |\n${rows.join("\n")}\n| anything else | its own name | ${FATES.unread} |\n`;
  });
  return tables.join("\n");
}

test("docs/formats.md has the tables of the code (UPDATE_DOCS=1 writes them)", () => {
  const [BEGIN, END] = ["<!-- messages: made by content-kinds.test.ts -->\n", "<!-- end of messages -->"];
  const docs = readFileSync(FORMATS, "utf8");
  const [before = "", rest = ""] = docs.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  const whole = `${before}${BEGIN}\n${formatTables()}\n${after}`;
  if (process.env.UPDATE_DOCS === "1") writeFileSync(FORMATS, whole);
  else expect(docs).toBe(whole);
});
