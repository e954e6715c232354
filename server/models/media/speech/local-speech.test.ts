import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, truncate, writeFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NotSpeechModel, readSpeechFolder } from "#server/models/local/speech-folder.ts";
import {
  ask,
  bounds,
  folder,
  hostOf,
  MB,
  missing,
  odd,
  prepareLocalSpeech,
  sample,
} from "#server/test/media/local-speech-bench.ts";
import { wavOfSamples, whistle, writeToneModel } from "#server/test/media/tone-model.ts";
import type { Recognized } from "../recognizer.ts";
import { localSpeech } from "./local-speech.ts";
import type { SpeechHost } from "./speech-host.ts";

prepareLocalSpeech();

const espeak = existsSync("/usr/bin/espeak-ng");

describe.skipIf(missing !== null)(
  `sherpa-onnx with a model of tones${missing === null ? "" : `: skipped, ${missing}`}`,
  () => {
    const real = async () => hostOf({ model: (await readSpeechFolder(join(folder, "tones"))).model, threads: 1 });

    test("silence is an empty text, which was read", async () => {
      expect(await ask(await real(), wavOfSamples(new Float32Array(16_000 * 5)))).toMatchObject({
        ok: true,
        text: "",
        seconds: 5,
      });
    });

    test("a file on this machine is read there, and a text that is too long ends at a word", async () => {
      const path = join(folder, "said.wav");
      await writeFile(path, wavOfSamples(whistle("привет мир")));
      const files = { localPath: async () => path };
      const read = localSpeech({ host: await real(), kind: "ctc", files });
      const input = { source: { kind: "file", name: "x", bytes: 10 } as const, mime: "audio/wav", durationSeconds: 2 };
      expect(await read(input, bounds({ maxChars: 8 }))).toMatchObject({ ok: true, text: "привет" });
    });

    test("the process works below the server, and ends with it", async () => {
      const host = await real();
      await ask(host, wavOfSamples(whistle("привет")));
      expect(getPriority(host.pid)).toBe(10);
      const { pid } = host;
      await host.end();
      expect(() => process.kill(pid!, 0)).toThrow();
    });

    test("a damaged model is a reason in plain words, and the server goes on", async () => {
      const broken = await writeToneModel(join(folder, "broken"));
      await truncate(join(broken, "model.int8.onnx"), 900);
      const host = hostOf({ model: (await readSpeechFolder(broken)).model, threads: 1 });
      expect(await ask(host, wavOfSamples(whistle("привет")))).toMatchObject({ ok: false, kind: "unavailable" });
    });
  },
);

test("where there is no program for the system, that is said and not tried again and again", async () => {
  const host = odd("missing");
  const wav = wavOfSamples(whistle("привет"));
  for (let tries = 0; tries < 2; tries++) expect(await ask(host, wav)).toMatchObject({ ok: false, kind: "refused" });
});

test("a recording that takes too long for its length is given up, and so is an abandoned one", async () => {
  const times = { decodeMs: 300 };
  const hung = odd("hangs", { times });
  expect(await ask(hung, wavOfSamples(whistle("привет")))).toMatchObject({ ok: false, kind: "unavailable" });
  const leaving = ask(odd("hangs"), wavOfSamples(whistle("привет")), { signal: AbortSignal.timeout(100) });
  await expect(leaving).rejects.toMatchObject({ name: "TimeoutError" });
});

test("too many recordings at once are refused with a retry, and those before them are read", async () => {
  const host = odd("");
  const wav = wavOfSamples(whistle("привет"));
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => ask(host, wav)));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(9);
  expect(outcomes.filter((outcome) => !outcome.ok && outcome.kind === "busy")).toHaveLength(3);
});

test("a recording that is longer than may be read, of another format or damaged says so in plain words", async () => {
  const host = odd("");
  expect(await ask(host, wavOfSamples(new Float32Array(16_000 * 3)), { maxSeconds: 2 })).toMatchObject({
    kind: "too_long",
  });
  const iphone = await ask(host, await sample("call.m4a"));
  expect(iphone).toMatchObject({ kind: "unreadable", message: expect.stringContaining("M4A") });
  expect(await ask(host, Buffer.from("не запись"))).toMatchObject({ kind: "unreadable" });
});

test("a text that cannot have been spoken in that time, or that goes in circles, is unreliable", async () => {
  const parts = (text: string) => ({ seconds: 1, parts: [{ from: 0, to: 1, text, confidence: 0.99, language: "" }] });
  const read = (text: string) => {
    const host = { transcribe: async () => parts(text) } as unknown as SpeechHost;
    return ask(host, Buffer.alloc(0)) as Promise<Recognized>;
  };
  expect((await read("Спасибо за заказ")).confidence).toBeCloseTo(0.99);
  expect((await read("а ".repeat(6))).confidence).toBeLessThan(0.5);
  expect((await read("Субтитры сделал кто-то, кого здесь никогда не было")).confidence).toBeLessThan(0.5);
});

test.each([
  [["model.int8.onnx", "model.onnx", "tokens.txt"], "ctc"],
  [["encoder.int8.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"], "transducer"],
  [["small-encoder.int8.onnx", "small-decoder.int8.onnx", "small-tokens.txt"], "whisper"],
])("of the files %j a model is made by their names", async (names, kind) => {
  const here = await mkdtemp(join(folder, "names-"));
  for (const name of names) await writeFile(join(here, name), name.endsWith("txt") ? "а 0\n" : Buffer.alloc(100, 8));
  const { model, bytes } = await readSpeechFolder(here);
  expect(model).toMatchObject({ kind });
  expect(JSON.stringify(model)).not.toContain("model.onnx");
  expect(bytes).toBeGreaterThan(100);
});

test("a folder without a model, or with a page in a model's place, is none", async () => {
  const here = await mkdtemp(join(folder, "none-"));
  await expect(readSpeechFolder(join(here, "away"))).rejects.toThrow(NotSpeechModel);
  await writeFile(join(here, "tokens.txt"), "а 0\n");
  await expect(readSpeechFolder(here)).rejects.toThrow(NotSpeechModel);
  await writeFile(join(here, "model.onnx"), "<html>".repeat(50));
  await expect(readSpeechFolder(here)).rejects.toThrow("damaged");
});
test.skipIf(!espeak)(
  "synthetic Russian speech passes through the pipeline (skipped where espeak-ng is not installed)",
  async () => {
    const said = "Здравствуйте! Подскажите, пожалуйста, сколько стоит доставка в субботу? ".repeat(6);
    const wav = execFileSync("espeak-ng", ["-v", "ru", "--stdout", said], { maxBuffer: 64 * MB });
    const heard = (await ask(odd(""), wav)) as Recognized;
    expect(heard.ok).toBe(true);
    expect(heard.segments!.length).toBeGreaterThan(1);
    const spoken = heard.segments!.reduce((sum, { from, to }) => sum + to - from, 0);
    expect(spoken).toBeCloseTo(heard.seconds!, 0);
  },
);
