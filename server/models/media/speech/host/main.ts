/**
 * The speech process: the only program that loads sherpa-onnx and the audio decoders. It processes one recording at a time and exits with
 * the server.
 */
import { readFile } from "node:fs/promises";
import { AudioProblem } from "../audio/audio-problem.ts";
import { decodeAudio } from "../audio/decode.ts";
import { SAMPLE_RATE } from "../audio/samples.ts";
import { windowsOf } from "../audio/windows.ts";
import type { SpeechLoad, SpeechMessage, TranscribeTask } from "../protocol.ts";
import { loadRecognizer, type Recognizer } from "./recognizer.ts";

const ALIVE_MS = 500;

const say = (message: SpeechMessage): void => {
  process.send?.(message);
};

process.on("disconnect", () => process.exit(0));
// Ctrl+C in a terminal reaches this process too, but the server decides when it exits.
process.on("SIGINT", () => undefined);
setInterval(() => say({ kind: "alive" }), ALIVE_MS);

let recognizer: Recognizer | null = null;
const running = new Map<number, AbortController>();

type Request = SpeechLoad | (TranscribeTask & { id: number }) | { kind: "cancel"; id: number };
process.on("message", (message: Request) => void take(message));

async function take(request: Request): Promise<void> {
  if (request.kind === "cancel") running.get(request.id)?.abort();
  else if (request.kind === "load") await load(request);
  else await transcribe(request);
}

async function load(request: SpeechLoad): Promise<void> {
  try {
    recognizer = await loadRecognizer(request.model, request.threads);
    say({ kind: "ready", facts: { threads: request.threads } });
  } catch (error) {
    const missing = (error as { code?: string }).code === "ERR_MODULE_NOT_FOUND" || isWithoutBuild(error);
    const detail = error instanceof Error ? error.message.slice(0, 500) : "unknown";
    // The message must reach the server before the process exits.
    process.send?.({ kind: "unable", missing, detail } satisfies SpeechMessage, () => process.exit(0));
  }
}

/** Whether sherpa-onnx-node is installed but has no build for this system. */
const isWithoutBuild = (error: unknown) => error instanceof Error && error.message.includes("Could not find sherpa");

async function transcribe({ id, source, maxSeconds }: TranscribeTask & { id: number }): Promise<void> {
  const given = new AbortController();
  running.set(id, given);
  try {
    if (recognizer === null) throw new Error("nothing is loaded");
    const { bytes } = "bytes" in source ? source : { bytes: await readFile(source.path) };
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const samples = await decodeAudio(file, maxSeconds, given.signal);
    say({ kind: "decoded", id, seconds: samples.length / SAMPLE_RATE });
    for (const { from, to } of windowsOf(samples)) {
      const heard = await recognizer(samples.subarray(from, to));
      given.signal.throwIfAborted();
      say({ kind: "part", id, from: from / SAMPLE_RATE, to: to / SAMPLE_RATE, ...heard });
    }
    say({ kind: "done", id });
  } catch (error) {
    if (given.signal.aborted) say({ kind: "cancelled", id });
    else if (error instanceof AudioProblem) say({ kind: "unheard", id, reason: error.reason });
    // Only the error's name, because its message may quote the speech.
    else say({ kind: "failed", id, detail: error instanceof Error ? error.name : "unknown" });
  } finally {
    running.delete(id);
  }
}
