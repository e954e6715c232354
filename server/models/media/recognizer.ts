/**
 * Interface of recognisers, which turn a recording or a picture into text. It has three implementations: off (off.ts), this machine
 * (local-media.ts lists what it can read), and the service that an organisation has connected.
 */
import type { MediaKind } from "#contract/models/media-readers.ts";

/** The media: bytes in memory, or the name of a file in the FileStore that no longer changes. */
export type MediaSource = { kind: "bytes"; bytes: Buffer } | { kind: "file"; name: string; bytes: number };

export interface MediaInput {
  source: MediaSource;
  /** Type determined from the bytes, not from the sender's claim: «audio/ogg», «image/jpeg». */
  mime: string;
  /** Length that the platform states; null: unknown. An implementation that decodes measures it and enforces `maxSeconds`. */
  durationSeconds: number | null;
}

export interface MediaBounds {
  /** Aborting ends the work at once, even in another process. */
  signal: AbortSignal;
  /** A longer recording is refused as `too_long`, not cut. */
  maxSeconds: number;
  /** Maximum length of the text in UTF-16 units; a longer one is cut after a word. */
  maxChars: number;
}

export interface Segment {
  /** Seconds from the beginning of the recording. */
  from: number;
  to: number;
  text: string;
  confidence: number;
}

export interface Recognized {
  ok: true;
  /** Plain text, trimmed; "" when there is no speech or text. */
  text: string;
  /** Confidence from 0 to 1, compared with thresholds: an implementation without its own figure returns its typical reliability. */
  confidence: number;
  /** For example «ru» or «en». */
  language?: string;
  segments?: readonly Segment[];
  /** Length of the decoded recording, for the daily limit. */
  seconds?: number;
}

/**
 * off: no reader is set. spent: the daily limit is used up. too_long, too_large, unreadable: this file can never be read. refused: the
 * owner has to correct a setting (key, model, rule). busy, unavailable, timeout: a later try may succeed.
 */
export type NotRecognizedKind =
  | "off"
  | "spent"
  | "too_long"
  | "too_large"
  | "unreadable"
  | "refused"
  | "busy"
  | "unavailable"
  | "timeout";

export interface NotRecognized {
  ok: false;
  kind: NotRecognizedKind;
  /** One Russian sentence for the owner, which quotes neither the provider nor a library. */
  message: string;
}

export const notRecognized = (kind: NotRecognizedKind, message: string): NotRecognized => ({
  ok: false,
  kind,
  message,
});

export type MediaOutcome = Recognized | NotRecognized;

export const mayBeTriedAgain = ({ kind }: NotRecognized): boolean =>
  kind === "busy" || kind === "unavailable" || kind === "timeout";

/** Throws only `bounds.signal`'s reason: every other outcome is a result. Do not call it inside a transaction. */
export type Recognize = (input: MediaInput, bounds: MediaBounds) => Promise<MediaOutcome>;

/** Returns the kind of media of a MIME type; null: neither. */
export function mediaKindOf(mime: string): MediaKind | null {
  if (mime.startsWith("audio/")) return "speech";
  return mime.startsWith("image/") ? "picture" : null;
}
