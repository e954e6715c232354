import { expect, test } from "vitest";
import { all, onwards, prepareExportReader, reader, signal, stored } from "#server/test/imports/export-reader-bench.ts";
import { ExportReader } from "./export-reader.ts";

prepareExportReader();

const ODD = new URL("../../test/processes/sandbox/odd-export-reader.ts", import.meta.url);

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

test("an abandoned import ends its reader with the reason", async () => {
  const odd = new ExportReader({ stepMs: 60_000 }, ODD);
  const given = new AbortController();
  const { open } = stored("odd", "x");
  const outcome = odd.preview([{ open, name: "hang", label: null }], onwards, given.signal);
  setTimeout(() => given.abort(new Error("stopped")), 300);
  await expect(outcome).rejects.toThrow("stopped");
});
