import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "#server/log.ts";
import { NotSpeechModel, readSpeechFolder } from "#server/models/files/speech-folder.ts";
import { noSherpa } from "#server/test/media/has-sherpa.ts";
import { wavOfSamples, whistle, writeToneModel } from "#server/test/media/tone-model.ts";
import type { MediaBounds, MediaOutcome, Recognized } from "../recognizer.ts";
import { localSpeech } from "./local-speech.ts";
import { SpeechHost, type SpeechHostOptions } from "./speech-host.ts";

const MB = 1024 ** 2;
const ODD = new URL("../../test/media/odd-speech.ts", import.meta.url);
const bounds = (over: Partial<MediaBounds> = {}): MediaBounds => ({
  ...{ signal: new AbortController().signal, maxSeconds: 300, maxChars: 4000 },
  ...over,
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dt-speech-"));
  await writeToneModel(join(folder, "tones"));
});
afterAll(() => rm(folder, { recursive: true }));

const hosts: SpeechHost[] = [];
function hostOf(load: SpeechHostOptions["load"], over: Partial<SpeechHostOptions> = {}): SpeechHost {
  const log = createLog("silent");
  const host = new SpeechHost({ load, memoryBytes: 700 * MB, log, ...over, times: { restMs: 50, ...over.times } });
  hosts.push(host);
  return host;
}
const odd = (act: string, over: Partial<SpeechHostOptions> = {}) =>
  hostOf({ model: { kind: "whisper", encoder: "", decoder: "", tokens: act }, threads: 1 }, { program: ODD, ...over });
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.end();
});

function ask(host: SpeechHost, bytes: Buffer, over: Partial<MediaBounds> = {}): Promise<MediaOutcome> {
  const files = { localPath: async (name: string) => name };
  const read = localSpeech({ host, kind: "ctc", files });
  return read({ source: { kind: "bytes", bytes }, mime: "audio/ogg", durationSeconds: null }, bounds(over));
}
const sample = (name: string) => readFile(new URL(`../../test/media/samples/${name}`, import.meta.url));

const missing = noSherpa();
describe.skipIf(missing !== null)(
  `sherpa-onnx with a model of tones${missing === null ? "" : `: skipped, ${missing}`}`,
  () => {
    const real = async () => hostOf({ model: (await readSpeechFolder(join(folder, "tones"))).model, threads: 1 });

    test.each(["call.ogg", "call.mp3"])(
      "what is whistled in %s is read, with its length and how sure it is",
      async (name) => {
        const heard = (await ask(await real(), await sample(name))) as Recognized;
        expect(heard).toMatchObject({ ok: true, text: "перезвоните пожалуиста", language: "ru", confidence: 0.9 });
        expect(heard.seconds).toBeCloseTo(4.9, 0);
        expect(heard.segments).toHaveLength(1);
      },
    );

    test("a recording of minutes is cut at pauses, and no word of it is lost", async () => {
      const heard = (await ask(await real(), wavOfSamples(whistle("заказ готов ".repeat(30).trim())))) as Recognized;
      // The quietest place may be between two letters of a whistle; a speaker pauses between words.
      expect(heard.text.replaceAll(" ", "")).toBe("заказготов".repeat(30));
      expect(heard.segments!.length).toBeGreaterThan(3);
      expect(heard.segments!.every(({ from, to }) => to - from <= 20)).toBe(true);
    });

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

    test("a process that is killed fails its recording, and the next one is read by another", async () => {
      const host = await real();
      await ask(host, wavOfSamples(whistle("привет")));
      const failing = ask(host, wavOfSamples(whistle("заказ готов ".repeat(60))));
      process.kill(host.pid!, "SIGKILL");
      expect(await failing).toMatchObject({ ok: false, kind: "unavailable" });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await ask(host, wavOfSamples(whistle("привет")))).toMatchObject({ ok: true, text: "привет" });
    });

    test("a damaged model is a reason in plain words, and the server goes on", async () => {
      const broken = await writeToneModel(join(folder, "broken"));
      await truncate(join(broken, "model.int8.onnx"), 900);
      const host = hostOf({ model: (await readSpeechFolder(broken)).model, threads: 1 });
      expect(await ask(host, wavOfSamples(whistle("привет")))).toMatchObject({ ok: false, kind: "unavailable" });
    });
  },
);

test("a process that is silent, grows, ends or says nonsense is ended, and its recording may be tried again", async () => {
  const wav = wavOfSamples(whistle("привет"));
  expect(await ask(odd("silent", { times: { silentMs: 500 } }), wav)).toMatchObject({ ok: false, kind: "unavailable" });
  for (const act of ["grows", "ends", "nonsense"]) {
    const host = odd(act);
    expect(await ask(host, wav), act).toMatchObject({ ok: false, kind: "unavailable" });
    expect(host.pid, act).toBeUndefined();
  }
});

test("where there is no program for the system, that is said and not tried again and again", async () => {
  const host = odd("missing");
  const wav = wavOfSamples(whistle("привет"));
  for (let tries = 0; tries < 2; tries++) expect(await ask(host, wav)).toMatchObject({ ok: false, kind: "refused" });
});

test("a recording that takes too long for its length is given up, and one that nobody waits for any more", async () => {
  const times = { decodeMs: 300 };
  const hung = odd("hangs", { times });
  expect(await ask(hung, wavOfSamples(whistle("привет")))).toMatchObject({ ok: false, kind: "unavailable" });
  const leaving = ask(odd("hangs"), wavOfSamples(whistle("привет")), { signal: AbortSignal.timeout(100) });
  await expect(leaving).rejects.toMatchObject({ name: "TimeoutError" });
});

test("too many recordings at once are told to wait, and those before them are read", async () => {
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

test("a text that nobody can have said in that time, or that goes in circles, is not sure", async () => {
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

const espeak = existsSync("/usr/bin/espeak-ng");
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
