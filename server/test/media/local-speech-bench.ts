/** A local model that hears tones. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { MediaBounds, MediaOutcome } from "#server/models/media/recognizer.ts";
import { localSpeech } from "#server/models/media/speech/local-speech.ts";
import { SpeechHost, type SpeechHostOptions } from "#server/models/media/speech/speech-host.ts";
import { createLog } from "#server/platform/log.ts";
import { noSherpa } from "#server/test/media/has-sherpa.ts";
import { writeToneModel } from "#server/test/media/tone-model.ts";

export const MB = 1024 ** 2;
const ODD = new URL("./odd-speech.ts", import.meta.url);
export const bounds = (over: Partial<MediaBounds> = {}): MediaBounds => ({
  ...{ signal: new AbortController().signal, maxSeconds: 300, maxChars: 4000 },
  ...over,
});

export let folder: string;

const hosts: SpeechHost[] = [];
export function hostOf(load: SpeechHostOptions["load"], over: Partial<SpeechHostOptions> = {}): SpeechHost {
  const log = createLog("silent");
  const host = new SpeechHost({ load, memoryBytes: 700 * MB, log, ...over, times: { restMs: 50, ...over.times } });
  hosts.push(host);
  return host;
}
export const odd = (act: string, over: Partial<SpeechHostOptions> = {}) =>
  hostOf({ model: { kind: "whisper", encoder: "", decoder: "", tokens: act }, threads: 1 }, { program: ODD, ...over });

export function ask(host: SpeechHost, bytes: Buffer, over: Partial<MediaBounds> = {}): Promise<MediaOutcome> {
  const files = { localPath: async (name: string) => name };
  const read = localSpeech({ host, kind: "ctc", files });
  return read({ source: { kind: "bytes", bytes }, mime: "audio/ogg", durationSeconds: null }, bounds(over));
}
export const sample = (name: string) => readFile(new URL(`./samples/${name}`, import.meta.url));

export const missing = noSherpa();

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareLocalSpeech(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dt-speech-"));
    await writeToneModel(join(folder, "tones"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.end();
  });
}
