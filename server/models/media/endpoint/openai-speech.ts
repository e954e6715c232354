/**
 * Speech recognition by a server with OpenAI's API: POST …/audio/transcriptions (platform.openai.com/docs/api-reference/audio, read
 * 2026-11-25).
 */
import * as z from "zod/mini";
import type { MediaBounds, Recognized, Segment } from "../recognizer.ts";
import { multipart } from "./multipart.ts";
import { askService, EndpointTrouble } from "./trouble.ts";

/** Assumed confidence of a transcription when the server reports none. */
export const USUAL_CONFIDENCE = 0.8;

const EXTENSIONS: Record<string, string> = {
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/webm": "webm",
  "audio/flac": "flac",
};

const Answer = z.object({
  text: z.string(),
  language: z.optional(z.nullable(z.string())),
  duration: z.optional(z.nullable(z.coerce.number())),
  segments: z.optional(
    z.nullable(
      z.array(
        z.object({
          start: z.number(),
          end: z.number(),
          text: z.string(),
          avg_logprob: z.optional(z.nullable(z.number())),
          no_speech_prob: z.optional(z.nullable(z.number())),
        }),
      ),
    ),
  ),
  logprobs: z.optional(z.nullable(z.array(z.object({ logprob: z.number() })))),
});

interface Asked {
  baseUrl: string;
  model: string;
  /** Adds the provider's credentials (models/remote/authorized-fetch.ts). */
  send: typeof fetch;
  bytes: Buffer;
  mime: string;
}

/** @throws EndpointTrouble, FileTrouble; the signal's reason */
export async function askOpenaiSpeech(asked: Asked, { signal }: Pick<MediaBounds, "signal">): Promise<Recognized> {
  const { model, mime, bytes } = asked;
  // OpenAI's newer models report word likelihoods instead of timed segments.
  const figures: Record<string, string> = /^gpt-4o/.test(model)
    ? { response_format: "json", "include[]": "logprobs" }
    : { response_format: "verbose_json" };
  const file = { name: `recording.${EXTENSIONS[mime] ?? "bin"}`, mime, bytes };
  const { body, contentType } = multipart({ model, temperature: "0", ...figures }, file);
  const answer = Answer.safeParse(
    await askService(asked.send, `${asked.baseUrl.replace(/\/$/, "")}/audio/transcriptions`, {
      method: "POST",
      headers: { "content-type": contentType, accept: "application/json" },
      body,
      signal,
    }),
  );
  if (!answer.success) throw new EndpointTrouble("protocol");
  const { text, language, duration, segments, logprobs } = answer.data;
  const parts = (segments ?? []).map(
    ({ start, end, text: said, avg_logprob: likely, no_speech_prob: silent }): Segment => ({
      from: start,
      to: end,
      text: said.trim(),
      confidence:
        likely == null ? USUAL_CONFIDENCE : between(Math.exp(likely) * ((silent ?? 0) > 0.6 ? 1 - silent! : 1)),
    }),
  );
  return {
    ok: true,
    text: text.trim(),
    confidence: confidenceOf(parts, logprobs ?? []),
    ...languageOf(language),
    ...(parts.length === 0 ? {} : { segments: parts }),
    ...(duration != null && duration > 0 ? { seconds: duration } : {}),
  };
}

const between = (value: number): number => Math.min(1, Math.max(0, value));

function confidenceOf(parts: readonly Segment[], logprobs: readonly { logprob: number }[]): number {
  const letters = parts.reduce((sum, { text }) => sum + text.length, 0);
  if (letters > 0) return parts.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters;
  if (logprobs.length === 0) return USUAL_CONFIDENCE;
  return between(Math.exp(logprobs.reduce((sum, { logprob }) => sum + logprob, 0) / logprobs.length));
}

const LANGUAGES: Record<string, string> = { russian: "ru", english: "en" };

function languageOf(said: string | null | undefined): { language?: string } {
  const language = LANGUAGES[said?.toLowerCase() ?? ""] ?? said?.toLowerCase();
  return language !== undefined && /^[a-z]{2}$/.test(language) ? { language } : {};
}
