import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "#server/platform/log.ts";
import { noLlama } from "#server/test/models/has-llama.ts";
import { writeTinyChatModel } from "#server/test/models/tiny-model.ts";
import { type Generated, ModelHost } from "./model-host.ts";
import type { ChatTurn } from "./protocol.ts";

const missing = noLlama();
const asking = { asker: { organizationId: "a", userId: "u" }, signal: new AbortController().signal };

const conversationOf = (who: string, exchanges: number): ChatTurn[] => [
  { role: "system", content: `Ты ${who}` },
  ...Array.from({ length: exchanges }, (_, at): ChatTurn[] => [
    { role: "user", content: `Вопрос номер ${at}: когда привезут ${who}?` },
    { role: "assistant", content: `Ответ номер ${at}: завтра, как и обещали` },
  ]).flat(),
];

describe.skipIf(missing !== null)(
  `prefilling the next prompt${missing === null ? "" : `: skipped, ${missing}`}`,
  () => {
    let folder: string;
    let host: ModelHost;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "dt-prefill-"));
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
      expect(await host.prefill({ turns: conversationOf("кот", 1) })).toBeNull();
      expect(host.pid).toBeUndefined();
    });

    test("what was prefilled of a conversation is not read again when its next message comes, and changes no answer", async () => {
      const conversation = conversationOf("кот", 4);
      const cold = await answered(conversation, "А сегодня?");
      await answered(conversationOf("пёс", 4), "А сегодня?");
      const prefilled = await host.prefill({ turns: conversation });
      expect(prefilled!.anew).toBeGreaterThan(100);
      const warm = await answered(conversation, "А сегодня?");
      expect(warm.text).toBe(cold.text);
      expect(warm.reused).toBeGreaterThanOrEqual(prefilled!.tokens);
      expect(warm.input - warm.reused).toBeLessThan(cold.input / 4);
      // Everything has been read already.
      expect(await host.prefill({ turns: conversation })).toEqual({ ...prefilled, anew: 0 });
    });

    test("a request that arrives meanwhile is answered at once, and the tokens read by then stay cached", async () => {
      const long = conversationOf("лось", 60);
      const prefilled = host.prefill({ turns: long });
      const { text } = await answered(conversationOf("кот", 1), "Ну?");
      expect(text.length).toBeGreaterThan(0);
      expect(await prefilled).toBeNull();
      // A prefill does not begin while an answer is being generated either.
      const asked = answered(conversationOf("кот", 1), "Ну?");
      expect(await host.prefill({ turns: long })).toBeNull();
      await asked;
    });
  },
);
