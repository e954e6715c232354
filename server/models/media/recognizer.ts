/**
 * The interface behind which a recording becomes text and a picture becomes text. Three implementations stand behind it: off
 * (off.ts), on this machine (local-media.ts says what there is), and the endpoint that an organisation has connected.
 */
import type { MediaKind } from "#contract/models/media-readers.ts";

/** What is read: bytes in memory, or the name of a file in the FileStore, which does not change any more. */
export type MediaSource = { kind: "bytes"; bytes: Buffer } | { kind: "file"; name: string; bytes: number };

export interface MediaInput {
  source: MediaSource;
  /** As the bytes show it, not as a stranger has called it: «audio/ogg», «image/jpeg». */
  mime: string;
  /** As the platform says it; null: unknown. An implementation that decodes measures it and keeps to the bound. */
  durationSeconds: number | null;
}

export interface MediaBounds {
  /** Aborted: work ends at once, also that of another process. */
  signal: AbortSignal;
  /** More of a recording is refused as `too_long`, not cut. */
  maxSeconds: number;
  /** UTF-16 units of text that are kept; the rest is cut at a word. */
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
  /** Plain text, trimmed; "" where there is nothing to be heard or read. */
  text: string;
  /** How sure it is, from 0 to 1: bars compare it, so an implementation without a figure of its own says what it is usually worth. */
  confidence: number;
  /** «ru», «en». */
  language?: string;
  segments?: readonly Segment[];
  /** Length of the recording as it was decoded, for the minutes of the day. */
  seconds?: number;
}

/**
 * off: no reader is set. spent: the day's limit is used up. too_long, too_large, unreadable: this file never will be read. refused: the
 * owner has something to set right (key, model, rule). busy, unavailable, timeout: it may be tried again.
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
  /** One Russian sentence for the owner, without a provider's or a library's words. */
  message: string;
}

export const notRecognized = (kind: NotRecognizedKind, message: string): NotRecognized => ({
  ok: false,
  kind,
  message,
});

export type MediaOutcome = Recognized | NotRecognized;

/** Whether another try may end otherwise. */
export const mayBeTriedAgain = ({ kind }: NotRecognized): boolean =>
  kind === "busy" || kind === "unavailable" || kind === "timeout";

/** Never throws but for `bounds.signal`'s reason: every other outcome is a result. Not to be called inside a transaction. */
export type Recognize = (input: MediaInput, bounds: MediaBounds) => Promise<MediaOutcome>;

/** The kind that a type belongs to; null: neither. */
export function mediaKindOf(mime: string): MediaKind | null {
  if (mime.startsWith("audio/")) return "speech";
  return mime.startsWith("image/") ? "picture" : null;
}
