import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "#server/log.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { type Generated, ModelHost } from "./model-host.ts";
import type { ChatTurn } from "./protocol.ts";

const missing = noLlama();
const asking = { asker: { organizationId: "a", userId: "u" }, signal: new AbortController().signal };

/** A talk of so many exchanges, of about a hundred tokens each. */
const talkOf = (who: string, exchanges: number): ChatTurn[] => [
  { role: "system", content: `Ты ${who}` },
  ...Array.from({ length: exchanges }, (_, at): ChatTurn[] => [
    { role: "user", content: `Вопрос номер ${at}: когда привезут ${who}?` },
    { role: "assistant", content: `Ответ номер ${at}: завтра, как и обещали` },
  ]).flat(),
];

describe.skipIf(missing !== null)(`reading ahead${missing === null ? "" : `: skipped, ${missing}`}`, () => {
  let folder: string;
  let host: ModelHost;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dt-ahead-"));
    const path = join(folder, "chat.gguf");
    await writeTinyChatModel(path);
    host = new ModelHost({
      load: { generator: { path, contextTokens: 8192 }, embedder: null, reranker: null, threads: 1 },
      ...{ memoryBytes: 2 * 1024 ** 3, log: createLog("silent") },
    });
  });
  afterAll(async () => {
    await host.end();
    await rm(folder, { recursive: true });
  });

  async function answered(turns: readonly ChatTurn[], message: string): Promise<Generated & { text: string }> {
    const generation = host.generate(
      {
        turns: [...turns, { role: "user", content: message }],
        ...{ maxTokens: 8, temperature: 0, seed: 1, stop: [], grammar: null },
      },
      asking,
    );
    let text = "";
    for (;;) {
      const next = await generation.next();
      if (next.done) return { ...next.value, text };
      text += next.value;
    }
  }

  test("a process that is not there yet is not begun for it", async () => {
    expect(await host.readAhead({ turns: talkOf("кот", 1), adapter: null })).toBeNull();
    expect(host.pid).toBeUndefined();
  });

  test("what was read ahead of a talk is not read again when its next message comes, and changes no answer", async () => {
    const talk = talkOf("кот", 4);
    const cold = await answered(talk, "А сегодня?");
    await answered(talkOf("пёс", 4), "А сегодня?");
    const ahead = await host.readAhead({ turns: talk, adapter: null });
    expect(ahead!.anew).toBeGreaterThan(100);
    const warm = await answered(talk, "А сегодня?");
    expect(warm.text).toBe(cold.text);
    expect(warm.reused).toBeGreaterThanOrEqual(ahead!.tokens);
    expect(warm.input - warm.reused).toBeLessThan(cold.input / 4);
    // There is nothing left to be read.
    expect(await host.readAhead({ turns: talk, adapter: null })).toEqual({ ...ahead, anew: 0 });
  });

  test("whoever asks meanwhile is answered at once, and what was read by then stays read", async () => {
    const long = talkOf("лось", 60);
    const ahead = host.readAhead({ turns: long, adapter: null });
    const { text } = await answered(talkOf("кот", 1), "Ну?");
    expect(text.length).toBeGreaterThan(0);
    expect(await ahead).toBeNull();
    // Nor is it begun while somebody is answered.
    const asked = answered(talkOf("кот", 1), "Ну?");
    expect(await host.readAhead({ turns: long, adapter: null })).toBeNull();
    await asked;
  });
});
