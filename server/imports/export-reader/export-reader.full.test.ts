/** Files that are slow to read must not slow down the server's other responses. */
import { expect, test } from "vitest";
import type { Log } from "#server/platform/log.ts";
import { monitorEventLoop } from "#server/platform/process/event-loop-monitor.ts";
import { all, onwards, prepareExportReader, reader, signal, stored } from "#server/test/imports/export-reader-bench.ts";
import { readExport } from "./read-export.ts";

prepareExportReader();

const cpuMs = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
};

/** The minimum of three, because a garbage collection of earlier data would be counted in a later run. */
async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time++) times.push(await cpuMs(work));
  return Math.min(...times);
}

/** Files that are expensive to read and contain almost no messages. */
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
