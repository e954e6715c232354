/** Every supported service against a strict local server: the requests, the parsed results, and the sentences for failures. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authorizedFetch } from "#server/models/remote/authorized-fetch.ts";
import { modelFetch } from "#server/models/remote/connection.ts";
import { NO_SPEECH, silentWav, speech } from "#server/test/files/recordings.ts";
import { answer } from "#server/test/servers/provider-server.ts";
import { KEY, type RecognitionServer, startRecognitionServer } from "#server/test/servers/recognition-server.ts";
import type { MediaOutcome } from "../recognizer.ts";
import { secondsOf, typeByBytes } from "../type-by-bytes.ts";
import { checkEndpoint } from "./check.ts";
import { type Endpoint, endpointRecognizer } from "./endpoint.ts";
import { accessPreset } from "./trouble.ts";
import { askYandexSpeech } from "./yandex-speech.ts";

let service: RecognitionServer;
beforeAll(async () => {
  service = await startRecognitionServer();
});
afterAll(() => service.close());
beforeEach(() => {
  service.heard.length = 0;
  service.says = { text: "Сколько стоит доставка?", sure: 0.9 };
});

const way = { mayBePrivate: true, roots: null, leave: () => {} };
const files = { open: () => Promise.reject(new Error("no files here")) };

function endpointOf(
  kind: Endpoint["kind"],
  preset: Endpoint["preset"],
  key: string = KEY,
  model = "whisper-1",
): Endpoint {
  const access = { preset: accessPreset(preset), authUrl: null, key, scope: null };
  const baseUrl = preset === "yandex" ? service.yandexUrl : service.baseUrl;
  return {
    kind,
    preset,
    baseUrl,
    model: preset === "yandex" ? null : model,
    send: authorizedFetch(modelFetch(way), access),
  };
}

function recognize(
  endpoint: Endpoint,
  bytes: Buffer,
  { mime = "audio/wav", seconds = 1 as number | null, signal = AbortSignal.timeout(10_000) } = {},
): Promise<MediaOutcome> {
  const input = { source: { kind: "bytes" as const, bytes }, mime, durationSeconds: seconds };
  return endpointRecognizer(files, endpoint)(input, { signal, maxSeconds: 60, maxChars: 4000 });
}

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a transcription is asked for as a form with the recording in it, and is as sure as its parts", async () => {
  const wav = silentWav(2);
  service.says.seconds = 2;
  const outcome = await recognize(endpointOf("speech", "openai"), wav);
  expect(outcome).toMatchObject({ ok: true, text: "Сколько стоит доставка?", language: "ru", seconds: 2 });
  expect(outcome.ok && outcome.confidence).toBeCloseTo(0.9);
  expect(service.heard).toMatchObject([{ model: "whisper-1", format: "wav" }]);
  expect(service.heard[0]!.bytes.equals(wav)).toBe(true);
});

test("a model that gives likelihoods of words instead is asked for them", async () => {
  const outcome = await recognize(endpointOf("speech", "openai", KEY, "gpt-4o-transcribe"), silentWav(1));
  expect(outcome.ok && outcome.confidence).toBeCloseTo(0.9);
});

test("a picture goes inside the question, and the answer's figure is not believed entirely", async () => {
  service.says = { text: "Чек на 1 200 ₽", sure: 1 };
  const outcome = await recognize(endpointOf("picture", "openai"), PIXEL, { mime: "image/png", seconds: null });
  expect(outcome).toMatchObject({ ok: true, text: "Чек на 1 200 ₽", confidence: 0.95 });
  expect(service.heard[0]!.bytes.equals(PIXEL)).toBe(true);
});

test.skipIf(NO_SPEECH !== null)(
  `SpeechKit is sent Opus as it is, and longer recordings by its other call${NO_SPEECH ? `: ${NO_SPEECH}` : ""}`,
  async () => {
    const { ogg } = speech("Сколько стоит доставка?");
    expect(typeByBytes(ogg)).toBe("audio/ogg");
    expect(secondsOf(ogg, "audio/ogg")).toBeGreaterThan(0.5);
    const endpoint = endpointOf("speech", "yandex");
    const short = await recognize(endpoint, ogg, { mime: "audio/ogg", seconds: 2 });
    expect(short).toMatchObject({ ok: true, text: "Сколько стоит доставка?" });
    const asked = { ...endpoint, bytes: ogg, mime: "audio/ogg", durationSeconds: 40, lookMs: 10 };
    const long = await askYandexSpeech(asked, { signal: AbortSignal.timeout(10_000) });
    expect(long).toMatchObject({ text: "Сколько стоит доставка?", confidence: 0.9 });
    expect(service.heard.map(({ format, model }) => [format, model])).toEqual([
      ["oggopus", "general"],
      ["OGG_OPUS", "general"],
    ]);
  },
);

test("a short WAV is sent to SpeechKit as plain sound, and what it does not read is said of the file", async () => {
  expect((await recognize(endpointOf("speech", "yandex"), silentWav(1))).ok).toBe(true);
  expect(service.heard[0]).toMatchObject({ format: "lpcm" });
  const m4a = await recognize(endpointOf("speech", "yandex"), Buffer.alloc(100), { mime: "audio/mp4" });
  expect(m4a).toMatchObject({ ok: false, kind: "unreadable" });
});

test.each([
  [401, { error: { message: `wrong ${KEY}` } }, "refused"],
  [429, {}, "busy"],
  [500, {}, "unavailable"],
  [413, {}, "too_large"],
  [400, { error: { message: "The audio file could not be decoded or its format is not supported" } }, "unreadable"],
  [200, { nothing: true }, "refused"],
] as const)("an answer %i %j is %s, and no word of it is passed on", async (status, body, kind) => {
  service.next.push((response) => answer(response, status, body));
  const outcome = await recognize(endpointOf("speech", "openai"), silentWav(1));
  expect(outcome).toMatchObject({ ok: false, kind });
  expect(JSON.stringify(outcome)).not.toContain(KEY);
});

test("a service that hangs ends with its time limit, and an abort by the caller ends the work", async () => {
  service.next.push(() => {});
  const late = await recognize(endpointOf("speech", "openai"), silentWav(1), { signal: AbortSignal.timeout(200) });
  expect(late).toMatchObject({ ok: false, kind: "timeout" });
  service.next.push(() => {});
  const ending = new AbortController();
  const work = recognize(endpointOf("speech", "openai"), silentWav(1), { signal: ending.signal });
  setTimeout(() => ending.abort(new Error("the server stops")), 100);
  await expect(work).rejects.toThrow("the server stops");
});

test.each([
  ["speech", "openai"],
  ["picture", "openai"],
  ["speech", "yandex"],
] as const)("«Проверить» sends a sample of %s to %s and says what is wrong", async (kind, preset) => {
  expect(await checkEndpoint(endpointOf(kind, preset))).toMatchObject({
    problem: null,
    sentence: expect.stringMatching(/^Сервис ответил/),
  });
  const refused = await checkEndpoint(endpointOf(kind, preset, "another-key"));
  expect(refused).toMatchObject({ problem: "key", sentence: expect.stringContaining("не принял ключ") });
});

test.each([
  ["<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", null],
  ["<!doctype html><script>alert(1)</script>", null],
  ["%PDF-1.7 and more", null],
] as const)("%s is neither a recording nor a picture, whatever it is called", (text, type) =>
  expect(typeByBytes(Buffer.from(text))).toBe(type),
);
