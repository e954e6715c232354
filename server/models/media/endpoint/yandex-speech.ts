/**
 * Yandex SpeechKit (yandex.cloud/ru/docs/speechkit, read 2026-11-25): version 1 recognises short recordings synchronously; version 3 takes
 * longer ones and other containers, and is polled for the result.
 */
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import type { MediaBounds, MediaInput, Recognized } from "../recognizer.ts";
import { USUAL_CONFIDENCE } from "./openai-speech.ts";
import { askService, EndpointTrouble, FileTrouble, sendToService, troubleOf } from "./trouble.ts";

/** Maximum length of a recording for version 1. */
const SHORT_SECONDS = 29;
const SHORT_BYTES = 1024 ** 2;
/** Milliseconds between two polls for a result. */
const LOOK_MS = 1_000;

const CONTAINERS: Record<string, string> = { "audio/ogg": "OGG_OPUS", "audio/wav": "WAV", "audio/mpeg": "MP3" };

interface Asked extends Pick<MediaInput, "mime" | "durationSeconds"> {
  baseUrl: string;
  /** null: «general». */
  model: string | null;
  send: typeof fetch;
  bytes: Buffer;
  lookMs?: number;
}

/** @throws EndpointTrouble, FileTrouble; the signal's reason */
export async function askYandexSpeech(asked: Asked, { signal }: Pick<MediaBounds, "signal">): Promise<Recognized> {
  const { mime, bytes, durationSeconds } = asked;
  const short = durationSeconds !== null && durationSeconds <= SHORT_SECONDS && bytes.length <= SHORT_BYTES;
  if (short && mime === "audio/ogg") return askShort(asked, { format: "oggopus" }, bytes, signal);
  const plain = short && mime === "audio/wav" ? plainSound(bytes) : null;
  if (plain !== null)
    return askShort(asked, { format: "lpcm", sampleRateHertz: String(plain.rate) }, plain.sound, signal);
  const container = CONTAINERS[mime];
  if (container === undefined) throw new FileTrouble("unreadable");
  return askLong(asked, container, signal);
}

const ShortAnswer = z.object({ result: z.string() });

async function askShort(
  { baseUrl, model, send }: Asked,
  format: Record<string, string>,
  body: Buffer,
  signal: AbortSignal,
): Promise<Recognized> {
  const query = new URLSearchParams({ lang: "auto", topic: model ?? "general", ...format });
  const answer = ShortAnswer.safeParse(
    await askService(send, `${rootOf(baseUrl)}/speech/v1/stt:recognize?${query}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream", accept: "application/json" },
      body: new Uint8Array(body),
      signal,
    }),
  );
  if (!answer.success) throw new EndpointTrouble("protocol");
  return { ok: true, text: answer.data.result.trim(), confidence: USUAL_CONFIDENCE };
}

const Operation = z.object({ id: z.string().check(z.regex(/^[\w-]{1,100}$/)) });

async function askLong(
  { baseUrl, model, send, bytes, lookMs = LOOK_MS }: Asked,
  container: string,
  signal: AbortSignal,
): Promise<Recognized> {
  const root = rootOf(baseUrl);
  const begun = Operation.safeParse(
    await askService(send, `${root}/stt/v3/recognizeFileAsync`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        content: bytes.toString("base64"),
        recognitionModel: {
          model: model ?? "general",
          audioFormat: { containerAudio: { containerAudioType: container } },
          textNormalization: { textNormalization: "TEXT_NORMALIZATION_ENABLED", literatureText: true },
        },
      }),
      signal,
    }),
  );
  if (!begun.success) throw new EndpointTrouble("protocol");
  for (;;) {
    await pause(lookMs, undefined, { signal }).catch(() => {
      if ((signal.reason as Error | undefined)?.name === "TimeoutError") throw new EndpointTrouble("timeout");
      throw signal.reason;
    });
    const { status, text } = await sendToService(send, `${root}/stt/v3/getRecognition?operation_id=${begun.data.id}`, {
      headers: { accept: "application/json" },
      signal,
    });
    // The service answers 404 until the result is ready.
    if (status === 404) continue;
    if (status !== 200) throw troubleOf(status, text);
    return resultOf(text);
  }
}

const Alternatives = z.array(z.object({ text: z.string(), confidence: z.optional(z.nullable(z.coerce.number())) }));
const Line = z.object({
  result: z.object({
    final: z.optional(z.object({ alternatives: Alternatives })),
    finalRefinement: z.optional(z.object({ normalizedText: z.object({ alternatives: Alternatives }) })),
  }),
});

/** Parses a body with one JSON object per line: segments as heard, and the same with punctuation and figures. */
function resultOf(body: string): Recognized {
  const heard: string[] = [];
  const refined: string[] = [];
  const figures: number[] = [];
  for (const each of body.split("\n")) {
    if (each.trim() === "") continue;
    let read: unknown;
    try {
      read = JSON.parse(each);
    } catch {
      throw new EndpointTrouble("protocol");
    }
    const line = Line.safeParse(read);
    if (!line.success) continue;
    const { final, finalRefinement } = line.data.result;
    const best = final?.alternatives[0];
    if (best !== undefined) {
      heard.push(best.text);
      // The service writes 0 when it has no confidence figure.
      if (best.confidence != null && best.confidence > 0) figures.push(Math.min(1, best.confidence));
    }
    const better = finalRefinement?.normalizedText.alternatives[0];
    if (better !== undefined) refined.push(better.text);
  }
  const text = (refined.length > 0 ? refined : heard)
    .map((part) => part.trim())
    .filter(Boolean)
    .join(" ");
  const confidence = figures.length === 0 ? USUAL_CONFIDENCE : figures.reduce((a, b) => a + b, 0) / figures.length;
  return { ok: true, text, confidence };
}

const rootOf = (baseUrl: string): string => baseUrl.replace(/\/$/, "");

const RATES = [8_000, 16_000, 48_000];

/** Returns the samples of a mono 16-bit WAV at a rate that version 1 accepts; null: the file is another. */
function plainSound(bytes: Buffer): { rate: number; sound: Buffer } | null {
  const format = bytes.indexOf("fmt ");
  const data = bytes.indexOf("data");
  if (format < 0 || data < format || format + 24 > bytes.length) return null;
  const [kind, channels] = [bytes.readUInt16LE(format + 8), bytes.readUInt16LE(format + 10)];
  const [rate, bits] = [bytes.readUInt32LE(format + 12), bytes.readUInt16LE(format + 22)];
  if (kind !== 1 || channels !== 1 || bits !== 16 || !RATES.includes(rate)) return null;
  return { rate, sound: bytes.subarray(data + 8) };
}
