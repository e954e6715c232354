/** Local models that are slow, shared or fail to load. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { bench, hostOf, ODD } from "#server/test/models/local-answers.ts";
import { asked, chunk, generatorOf, reply } from "#server/test/models/local-generator-bench.ts";
import { localGenerator } from "../local-generator.ts";

/** Parses the size as odd-host.ts writes it. */
const sizeIn = (said: string) =>
  Number([...said.replace(".", "")].map((letter) => "бвгджзкмнр".indexOf(letter)).join(""));

test("when the model does not load, documents answer, and the disclosure and the owner's corrections are said as they are", async () => {
  const broken = join(bench.folder, "broken.gguf");
  await writeFile(broken, "GGUF");
  const generator = generatorOf(hostOf(broken));
  const request = asked({ message: "Ты бот? Сколько стоит доставка?" });
  const text = await reply(generator, request);
  expect(text).toMatch(/^Это ИИ-двойник[\s\S]*350 рублей/);
  expect(generator.fellBack?.(request)).toBe(true);
  const corrected = { kind: "example", text: "Двести!", question: null, similarity: 1, secrecy: "public" } as const;
  const settled = asked({ corrected });
  expect(await reply(generator, settled)).toBe("Двести!");
  expect(generator.fellBack?.(settled)).toBe(false);
});

test("a machine that reads slowly gets shorter prompts, and a quick one longer prompts", async () => {
  const host = hostOf("slow", { program: ODD });
  const request = asked({
    // The model's reply is a number and no answer.
    drafted: true,
    history: Array.from({ length: 60 }, (_, at) => ({
      role: at % 2 ? "assistant" : "user",
      content: "слово ".repeat(30),
    })),
    notes: "слово ".repeat(600),
    chunks: Array.from({ length: 30 }, (_, at) => chunk(`Пункт ${at}. ${"слово ".repeat(40)}`)),
  });
  const sizes = async (readMs: number) => {
    const generator = localGenerator({ host, log: createLog("silent"), totalMs: 30_000, readMs });
    const said: number[] = [];
    for (let at = 0; at < 3; at++) said.push(sizeIn(await reply(generator, request)));
    return said;
  };
  const slow = await sizes(100);
  expect(slow[1]).toBeLessThan(slow[0]!);
  expect(slow[2]).toBeLessThan(slow[1]!);
  const quick = await sizes(5000);
  expect(quick[2]).toBeGreaterThan(quick[0]!);
});
