/** Recordings and processes of the local model that take seconds each. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSpeechFolder } from "#server/models/local/speech-folder.ts";
import {
  ask,
  folder,
  hostOf,
  missing,
  odd,
  prepareLocalSpeech,
  sample,
} from "#server/test/media/local-speech-bench.ts";
import { wavOfSamples, whistle } from "#server/test/media/tone-model.ts";
import type { Recognized } from "../recognizer.ts";

prepareLocalSpeech();

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
      // The quietest place may be between two letters of a whistle, while a speaker pauses between words.
      expect(heard.text.replaceAll(" ", "")).toBe("заказготов".repeat(30));
      expect(heard.segments!.length).toBeGreaterThan(3);
      expect(heard.segments!.every(({ from, to }) => to - from <= 20)).toBe(true);
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
