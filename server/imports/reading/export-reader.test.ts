import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLocalFile } from "#server/files/folder-store.ts";
import type { Log } from "#server/log.ts";
import { monitorEventLoop } from "#server/process/event-loop-monitor.ts";
import { ExportReader } from "./export-reader.ts";
import { readExport } from "./read-export.ts";

const ODD = new URL("../../test/processes/sandbox/odd-export-reader.ts", import.meta.url);
const { signal } = new AbortController();
const onwards = async () => true;

let folder: string;
const reader = new ExportReader();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dt-exports-"));
});
afterAll(() => {
  reader.end();
  rmSync(folder, { recursive: true });
});

const stored = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { open: () => openLocalFile(path), name, label: null };
};

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const cpuMs = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

/** The least of three, because a collection of what was read before counts for whoever runs next. */
async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time++) times.push(await cpuMs(work));
  return Math.min(...times);
}

/** Costly to read and of next to no messages. */
const HOSTILE = {
  "a table of quotation marks": `author,text\n${`anna,"${'""'.repeat(400_000)}"\n`.repeat(2)}`,
  "letters of markup": `From a@b.example Tue Mar 12 14:05:33 2024\nFrom: a@b.example\nTo: c@d.example\nDate: Tue, 12 Mar 2024 14:05:33 +0300\nSubject: x\nContent-Type: text/html\n\n${"<div><b>а</b>".repeat(6_000)}\n`,
  "a page of markup": `<!DOCTYPE html><html><body><div class="page_body chat_page">${'<div class="message default clearfix" id="message1"><div class="body"><div class="from_name">Анна</div><div class="text">'}${"<b>а</b><i>б</i>".repeat(15_000)}</div></div></div></body></html>`,
};

test.each(Object.entries(HOSTILE))(
  "%s is read beside the server: its own thread only hands the bytes over",
  async (name, content) => {
    const file = stored(`${name.replaceAll(" ", "-")}`, content);
    const events: string[] = [];
    const apart = await file.open();
    const here = await cpuMs(async () => {
      for await (const event of readExport(apart, {})) events.push(event.type);
    });
    await apart.close();
    expect(events.at(-1)).toBe("end");
    await reader.recognise(file.open);
    const held: unknown[] = [];
    const unwatch = monitorEventLoop({
      warn: (facts: { cpuMs: number }) => facts.cpuMs > 100 && held.push(facts),
    } as unknown as Log);
    const own = await leastCpuMs(() => reader.preview([file], onwards, signal));
    const taken = await leastCpuMs(() => all(reader.messages([file], ["named:Переписка"], signal)));
    unwatch();
    expect(own, `${here} ms when read here`).toBeLessThan(here / 3);
    expect(taken, `${here} ms when read here`).toBeLessThan(here / 3);
    expect(held).toEqual([]);
  },
);

test("messages arrive as they were read, of the chosen chats alone", async () => {
  const file = stored(
    "table.csv",
    "date,chat,author,text\n2024-03-12 14:05,Дача,Анна,привет\n2024-03-12 14:06,Работа,Пётр,отчёт\n,Дача,Пётр,\ud83d\udc4b\n",
  );
  const preview = await reader.preview([file], onwards, signal);
  expect(preview?.chats.map(({ name, messages }) => [name, messages])).toEqual([
    ["Дача", 2],
    ["Работа", 1],
  ]);
  const [yard] = preview!.chats;
  const read = await all(reader.messages([file], [yard!.id], signal));
  expect(read.map(({ text, authorName, sentAt, line }) => ({ text, authorName, sentAt, line }))).toEqual([
    { text: "привет", authorName: "Анна", sentAt: new Date("2024-03-12T11:05:00Z"), line: 2 },
    { text: "\ud83d\udc4b", authorName: "Пётр", sentAt: null, line: 4 },
  ]);
});

test.each([
  ["hang", "Файл читался слишком долго, и мы остановились. Выгрузите переписку снова или по частям"],
  ["leave", "Файл слишком сложный и не прочитан. Выгрузите переписку снова или по частям"],
  ["ask beyond", "Файл слишком сложный и не прочитан. Выгрузите переписку снова или по частям"],
  ["refuse", "Файл слишком сложный и не прочитан. Выгрузите переписку снова или по частям"],
])("a reader made to %s is ended, the file is refused in plain words, and the server goes on", async (name, words) => {
  const odd = new ExportReader({ stepMs: 500 }, ODD);
  const { open } = stored("odd", "x");
  await expect(odd.preview([{ open, name, label: null }], onwards, signal)).rejects.toMatchObject({
    status: 422,
    code: "export_unreadable",
    message: words,
  });
});

test("a reader that answers in another shape, or not at all, is not believed", async () => {
  const odd = new ExportReader({ stepMs: 500 }, ODD);
  const { open } = stored("odd", "x");
  await expect(all(odd.messages([{ open, name: "forge", label: null }], [], signal))).rejects.toThrow();
  await expect(odd.preview([{ open, name: "stop early", label: null }], onwards, signal)).rejects.toMatchObject({
    code: "export_unreadable",
  });
});

test("an import that nobody wants any more ends its reader with the reason", async () => {
  const odd = new ExportReader({ stepMs: 60_000 }, ODD);
  const given = new AbortController();
  const { open } = stored("odd", "x");
  const outcome = odd.preview([{ open, name: "hang", label: null }], onwards, given.signal);
  setTimeout(() => given.abort(new Error("stopped")), 300);
  await expect(outcome).rejects.toThrow("stopped");
});
