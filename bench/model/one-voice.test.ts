import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localGenerator } from "#server/answers/replies/generators/local.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import type { Generated, Generation, ModelHost } from "#server/models/local/model-host.ts";
import { createLog } from "#server/platform/log.ts";
import { QUESTION_ABOUT_DELIVERY } from "#server/test/factories/reply-request.ts";
import { oneVoice } from "./one-voice.ts";

let folder: string;
let adapter: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-one-voice-"));
  adapter = join(folder, "voice.gguf");
  await writeFile(adapter, "");
});
afterAll(() => rm(folder, { recursive: true }));

/** A model that can use adapters or cannot, and what it was asked for. */
function model(adapts: boolean) {
  const asked: Generation[] = [];
  const host = {
    isGenerating: false,
    facts: async () => ({ generator: { contextTokens: 8192, parameters: 8e9 } }),
    async *generate(generation: Generation): AsyncGenerator<string, Generated> {
      asked.push(generation);
      yield "Курьер привозит заказ завтра к обеду.";
      return { stopped: "end", input: 1, output: 1, reused: 0, adapted: generation.adapter ? adapts : null };
    },
    prefill: async () => null,
  };
  return { asked, host: host as unknown as ModelHost };
}

const REQUEST: ReplyRequest = {
  ...QUESTION_ABOUT_DELIVERY,
  ...{ drafted: true, voice: null, payer: { organizationId: "o", userId: "u", twinId: "t" } },
};

async function reply(host: ModelHost): Promise<string> {
  const voiced = await oneVoice("base.gguf", adapter);
  const generator = localGenerator({ host, log: createLog("silent"), totalMs: 60_000, candidates: 1, voiced });
  let text = "";
  for await (const delta of generator.generate(REQUEST, new AbortController().signal)) text += delta;
  return text;
}

test("each twin's replies are written with the adapter, also where a measure names no voice of its own", async () => {
  const { asked, host } = model(true);
  await reply(host);
  expect(asked.map((generation) => generation.adapter)).toEqual([adapter]);
});

test("an adapter that the model cannot use ends the measure, which would be of the model alone", async () => {
  await expect(reply(model(false).host)).rejects.toThrow("is no adapter for base.gguf");
});

test("a missing adapter is reported before any question is asked", async () => {
  await expect(oneVoice("base.gguf", join(folder, "absent.gguf"))).rejects.toThrow("ENOENT");
});
