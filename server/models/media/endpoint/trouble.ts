/** Errors of a recognition service, worded for its owner, and whether the file or the service caused them. */
import type { MediaPreset } from "#contract/models/media-readers.ts";
import type { RemoteProblem } from "#contract/models/remote-model.ts";
import type { RemotePresetId } from "#contract/models/remote-model-presets.ts";
import { problemOfAnswer, problemOfFailure, sentenceOf } from "#server/models/remote/explain.ts";
import type { NotRecognized, NotRecognizedKind } from "../recognizer.ts";

/** A request to the service failed. The error keeps none of the service's text, which may quote the key. */
export class EndpointTrouble extends Error {
  override name = "EndpointTrouble";
  readonly problem: RemoteProblem;

  constructor(problem: RemoteProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** The service works but cannot read this file. */
export class FileTrouble extends Error {
  override name = "FileTrouble";
  readonly kind: "too_long" | "too_large" | "unreadable";

  constructor(kind: FileTrouble["kind"]) {
    super(kind);
    this.kind = kind;
  }
}

/** The provider whose kind of credentials the key is. */
export const accessPreset = (preset: MediaPreset): RemotePresetId => (preset === "yandex" ? "yandexgpt" : "compatible");

const MAX_ANSWER = 1_000_000;

/**
 * Returns the JSON of the service's response.
 * @throws EndpointTrouble, FileTrouble; the signal's reason
 */
export async function askService(
  send: typeof fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<unknown> {
  const { status, text } = await sendToService(send, url, init);
  if (status < 200 || status > 299) throw troubleOf(status, text);
  try {
    return JSON.parse(text);
  } catch {
    throw new EndpointTrouble("protocol");
  }
}

/** @throws EndpointTrouble when there is no response; the signal's reason */
export async function sendToService(
  send: typeof fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<{ status: number; text: string }> {
  try {
    const answer = await send(url, init);
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.length > MAX_ANSWER) throw new EndpointTrouble("protocol");
    }
    return { status: answer.status, text };
  } catch (error) {
    if (error instanceof EndpointTrouble) throw error;
    // An abort by the caller is rethrown; a time limit counts as the service's failure.
    if (init.signal.aborted && (init.signal.reason as Error | undefined)?.name !== "TimeoutError")
      throw init.signal.reason;
    throw new EndpointTrouble(problemOfFailure(error));
  }
}

/** Classifies a refusal: the service's typical phrases show whether it refuses the file or the request. */
export function troubleOf(status: number, body: string): EndpointTrouble | FileTrouble {
  if (status === 413) return new FileTrouble("too_large");
  const words = body.slice(0, 4000).toLowerCase();
  if (status === 415) return new FileTrouble("unreadable");
  if (status === 400 || status === 422) {
    if (/duration should be less|too long|longer than/.test(words)) return new FileTrouble("too_long");
    if (
      /could not be decoded|decod|invalid file|file format|invalid audio|audio file|unsupported image|invalid image/.test(
        words,
      )
    )
      return new FileTrouble("unreadable");
  }
  return new EndpointTrouble(problemOfAnswer(status, body));
}

const KINDS: Partial<Record<RemoteProblem, NotRecognizedKind>> = {
  timeout: "timeout",
  quota: "busy",
  server: "unavailable",
  refused: "unavailable",
  dns: "unavailable",
};

const OF_FILE: Record<FileTrouble["kind"], string> = {
  too_long: "Запись длиннее, чем принимает сервис распознавания.",
  too_large: "Файл больше, чем принимает сервис распознавания.",
  unreadable: "Сервис распознавания не читает файлы такого вида или этот файл повреждён.",
};

export const sentenceOfEndpoint = (problem: RemoteProblem, preset: MediaPreset, baseUrl: string): string => {
  const { host } = new URL(baseUrl);
  if (preset === "yandex" && problem === "access")
    return "Ключ принят, но доступа к распознаванию нет: дайте сервисному аккаунту роль ai.speechkit-stt.user.";
  return sentenceOf(problem, accessPreset(preset), host);
};

/** Converts an error to a recognition result. @throws any error that neither the service nor the file caused */
export function notRecognized(error: unknown, preset: MediaPreset, baseUrl: string): NotRecognized {
  if (error instanceof FileTrouble) return { ok: false, kind: error.kind, message: OF_FILE[error.kind] };
  if (!(error instanceof EndpointTrouble)) throw error;
  const { problem } = error;
  return { ok: false, kind: KINDS[problem] ?? "refused", message: sentenceOfEndpoint(problem, preset, baseUrl) };
}
