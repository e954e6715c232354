/** Recognises speech on this machine with a model in a separate process (docs/decisions/020-voice-and-pictures.md). */

import { ModelFailure } from "#server/models/host/failures.ts";
import type { SpeechModel } from "#server/models/local/speech-folder.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { cutAtWord } from "../cut-at-word.ts";
import type { MediaOutcome, NotRecognized, Recognize, Recognized, Segment } from "../recognizer.ts";
import type { AudioProblemReason } from "./audio/audio-problem.ts";
import type { SpeechHost, SpeechPart } from "./speech-host.ts";

/** A larger file is longer than a voice message. */
const MAX_BYTES = 64 * 1024 ** 2;

/** Assumed confidence when a model reports none: one minus the word error rate that its publishers give for Russian, rounded down. */
const USUALLY: Record<SpeechModel["kind"], number> = { ctc: 0.9, transducer: 0.9, whisper: 0.75 };
/** Confidence of text that is too long for its time or repeats itself: models produce such text from noise. */
const IMPLAUSIBLE = 0.3;
/** Characters per second; a fast speaker reaches twenty. */
const FASTEST = 30;
/** Number of identical pieces of text in a row that counts as repetition. */
const CIRCLE = 4;

interface LocalSpeech {
  host: SpeechHost;
  kind: SpeechModel["kind"];
  files: Pick<FileStore, "localPath">;
}

export function localSpeech({ host, kind, files }: LocalSpeech): Recognize {
  return async ({ source, durationSeconds }, { signal, maxSeconds, maxChars }) => {
    signal.throwIfAborted();
    if (durationSeconds !== null && durationSeconds > maxSeconds + 1) return unheard("too-long");
    const size = source.kind === "bytes" ? source.bytes.length : source.bytes;
    if (size > MAX_BYTES) return TOO_LARGE;
    try {
      const given = source.kind === "bytes" ? { bytes: source.bytes } : { path: await files.localPath(source.name) };
      const heard = await host.transcribe(given, { maxSeconds, signal });
      return typeof heard === "string" ? unheard(heard) : recognized(kind, heard, maxChars);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelFailure) return failed(error);
      return UNAVAILABLE;
    }
  };
}

function recognized(
  kind: SpeechModel["kind"],
  { seconds, parts }: { seconds: number; parts: readonly SpeechPart[] },
  maxChars: number,
): Recognized {
  const segments: Segment[] = parts
    .map(({ from, to, text, confidence }) => ({
      ...{ from, to, text },
      confidence: isPlausible(text, to - from) ? (confidence ?? USUALLY[kind]) : IMPLAUSIBLE,
    }))
    .filter(({ text }) => text !== "");
  const letters = segments.reduce((sum, { text }) => sum + text.length, 0);
  const sure = segments.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0);
  // Sber's models know only Russian; Whisper reports the language that it has heard.
  const language = kind === "whisper" ? parts.find((part) => part.language !== "")?.language : "ru";
  return {
    ok: true,
    text: cutAtWord(segments.map(({ text }) => text).join(" "), maxChars),
    confidence: letters === 0 ? USUALLY[kind] : sure / letters,
    ...(language === undefined ? {} : { language }),
    segments,
    seconds,
  };
}

function isPlausible(text: string, seconds: number): boolean {
  if (text.length > 20 && text.length > seconds * FASTEST) return false;
  const words = text.toLowerCase().split(/[\s,.!?…]+/);
  let same = 1;
  for (let at = 1; at < words.length; at++) {
    same = words[at] === words[at - 1] ? same + 1 : 1;
    if (same >= CIRCLE) return false;
  }
  return true;
}

const not = (kind: NotRecognized["kind"], message: string): NotRecognized => ({ ok: false, kind, message });

const TOO_LARGE = not("too_large", "Запись больше 64 МБ и не расшифровывается.");
const UNAVAILABLE = not("unavailable", "Запись сейчас не прочитать: расшифровка не отвечает.");

const UNHEARD: Record<AudioProblemReason, NotRecognized> = {
  "too-long": not("too_long", "Запись длиннее, чем здесь расшифровывается."),
  aac: not("unreadable", "Записи в формате AAC (M4A) здесь не расшифровываются: читаются Opus (OGG), MP3 и WAV."),
  "unknown-format": not("unreadable", "Запись в незнакомом формате: читаются Opus (OGG), MP3 и WAV."),
  damaged: not("unreadable", "Запись повреждена или в ней нет звука."),
};
const unheard = (reason: AudioProblemReason): MediaOutcome => UNHEARD[reason];

function failed({ reason }: ModelFailure): NotRecognized {
  if (reason === "busy") return not("busy", "Расшифровка занята другими записями, эта подождёт.");
  if (reason === "late") return not("timeout", "Запись не успела расшифроваться: модель работает слишком медленно.");
  // The process failed on this recording, and would fail again.
  if (reason === "refused") return not("unreadable", "Эту запись расшифровать не удалось.");
  if (reason === "missing")
    return not("refused", "Расшифровка на этом компьютере не работает: для его системы нет нужной программы.");
  return UNAVAILABLE;
}
