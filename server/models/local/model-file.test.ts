import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeTinyChatModel, writeTinyReader } from "#server/test/models/tiny-model.ts";
import { readHead } from "./gguf-head.ts";
import { readModelFile } from "./model-file.ts";

let folder: string;
let chat: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-model-file-"));
  chat = join(folder, "chat.gguf");
  await writeTinyChatModel(chat);
});
afterAll(() => rm(folder, { recursive: true }));

describe("a model's file", () => {
  test("tells its kind, its context and the memory that the context takes", async () => {
    expect(await readModelFile(chat)).toEqual({
      bytes: (await stat(chat)).size,
      architecture: "llama",
      name: "tiny-chat",
      pooling: null,
      contextTokens: 16_384,
      // Two layers, a key and a value each, 64 numbers of two bytes.
      tokenBytes: 2 * 2 * 64 * 2,
    });
    expect((await stat(chat)).size).toBeLessThan(700_000);
  });

  test("that makes vectors takes its whole vocabulary for each token of a text, which a process must be allowed", async () => {
    const reader = join(folder, "reader.gguf");
    await writeTinyReader(reader);
    const { pooling, tokenBytes } = await readModelFile(reader);
    expect(pooling).not.toBeNull();
    const pieces = readHead(await readFile(reader))!.lengths.get("tokenizer.ggml.tokens")!;
    expect(pieces).toBeGreaterThan(100);
    expect(tokenBytes).toBe(2 * 2 * 64 * 2 + pieces * 4);
  });

  test.each([
    ["no.gguf", null, "нет"],
    ["text.gguf", "Это не модель, а просто текст, довольно длинный.", "не модель в формате GGUF"],
    ["empty.gguf", "", "не модель в формате GGUF"],
    ["old.gguf", "GGUF\u0001\0\0\0".padEnd(64, "\0"), "GGUF версии 1"],
    ["nameless.gguf", "GGUF\u0003\0\0\0".padEnd(64, "\0"), "не назван её вид"],
  ])("that is %s is distinguished from a model in a sentence", async (name, content, said) => {
    const path = join(folder, name);
    if (content !== null) await writeFile(path, content);
    await expect(readModelFile(path)).rejects.toThrow(said);
    await expect(readModelFile(folder)).rejects.toThrow("не файл");
  });
});
