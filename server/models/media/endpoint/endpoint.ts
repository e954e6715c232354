/** Adapts the service that an organisation has connected to the recogniser interface. */
import type { MediaKind, MediaPreset } from "#contract/models/media-readers.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import type { MediaBounds, MediaInput, MediaOutcome, Recognize, Recognized } from "../recognizer.ts";
import { askOpenaiSpeech } from "./openai-speech.ts";
import { readSource } from "./read-source.ts";
import { notRecognized } from "./trouble.ts";
import { askVision } from "./vision.ts";
import { askYandexSpeech } from "./yandex-speech.ts";

export interface Endpoint {
  kind: MediaKind;
  preset: MediaPreset;
  baseUrl: string;
  model: string | null;
  /** Sends requests under the organisation's rules and with its key (models/remote/remote-connections.ts). */
  send: typeof fetch;
}

/** @throws EndpointTrouble, FileTrouble; the signal's reason */
export function askEndpoint(
  { kind, preset, baseUrl, model, send }: Endpoint,
  asked: Omit<MediaInput, "source"> & { bytes: Buffer },
  bounds: Pick<MediaBounds, "signal">,
): Promise<Recognized> {
  const { bytes, mime, durationSeconds } = asked;
  if (kind === "picture") return askVision({ baseUrl, model: model ?? "", send, bytes, mime }, bounds);
  return preset === "yandex"
    ? askYandexSpeech({ baseUrl, model: model || null, send, bytes, mime, durationSeconds }, bounds)
    : askOpenaiSpeech({ baseUrl, model: model ?? "", send, bytes, mime }, bounds);
}

export function endpointRecognizer(files: Pick<FileStore, "open">, endpoint: Endpoint): Recognize {
  return async (input, bounds): Promise<MediaOutcome> => {
    const bytes = await readSource(files, input.source);
    try {
      return await askEndpoint(endpoint, { bytes, mime: input.mime, durationSeconds: input.durationSeconds }, bounds);
    } catch (error) {
      return notRecognized(error, endpoint.preset, endpoint.baseUrl);
    }
  };
}
