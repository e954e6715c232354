import { expect, test } from "vitest";
import { startCpuTime } from "#server/test/cpu-time.ts";
import type { ImportEvent } from "../message.ts";
import { emailBox } from "./email.ts";

const DIVIDER = "From - Mon Sep 14 10:00:00 2026";
const letter = (id: number, body: string) =>
  `${DIVIDER}\nFrom: Boris <boris@client.test>\nTo: Vera <vera@garage.test>\nMessage-ID: <${id}@client.test>\n\n${body}\n\n`;

/** Reads a mailbox that arrives in parts of a size. */
async function textsOf(mailbox: string, partBytes: number): Promise<string[]> {
  const bytes = Buffer.from(mailbox);
  async function* parts() {
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
  }
  const texts: string[] = [];
  for await (const event of emailBox.read(parts()) as AsyncIterable<ImportEvent>) {
    if (event.type === "message") texts.push(event.message.text);
  }
  return texts;
}

const TRIP = "Hello Vera,\nFrom Kazan we leave on 12 May 2026\nand need the car ready by 11.";
const PARAGRAPH = "Hello\n\nFrom Kazan we leave on 12 May 2026\n\nand come back";

test.each([1, 7, 40, 100_000])(
  "a sentence that begins with «From» and ends with a year is text, in parts of %i bytes",
  async (size) => {
    const mailbox = letter(1, TRIP) + letter(2, PARAGRAPH) + letter(3, "From here to there in 2026");
    expect(await textsOf(mailbox, size)).toEqual([TRIP, PARAGRAPH, "From here to there in 2026"]);
  },
);

test("many such sentences are read quickly", async () => {
  const cpuMs = startCpuTime();
  await textsOf(letter(1, "From Kazan we leave on 12 May 2026\nNote: 1\n".repeat(8_000)), 64 * 1024);
  expect(cpuMs()).toBeLessThan(2000);
});
