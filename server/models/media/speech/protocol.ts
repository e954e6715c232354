/** IPC protocol between the server and the speech process. The server trusts no answer: one of another shape ends the process. */
import * as z from "zod";
import type { HostProtocol } from "#server/models/host/host-process.ts";
import type { SpeechModel } from "#server/models/local/speech-folder.ts";
import { AUDIO_PROBLEMS } from "./audio/audio-problem.ts";

export interface SpeechLoad {
  kind: "load";
  model: SpeechModel;
  threads: number;
}

export interface TranscribeTask {
  kind: "transcribe";
  /** The recording's bytes, or the path of its file. */
  source: { bytes: Uint8Array } | { path: string };
  /** A longer recording is refused. */
  maxSeconds: number;
}

const count = z.number().int().min(0);
const seconds = z.number().min(0).max(1e6);

const SpeechFacts = z.object({ threads: count });
export type SpeechFacts = z.infer<typeof SpeechFacts>;

const SpeechAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("decoded"), id: count, seconds }),
  z.object({
    kind: z.literal("part"),
    id: count,
    from: seconds,
    to: seconds,
    text: z.string().max(20_000),
    /** null: the model reports none. */
    confidence: z.nullable(z.number().min(0).max(1)),
    /** The language that the model reports; "" when it reports none. */
    language: z.string().max(20),
  }),
  z.object({ kind: z.literal("done"), id: count }),
  z.object({ kind: z.literal("unheard"), id: count, reason: z.enum(AUDIO_PROBLEMS) }),
  z.object({ kind: z.literal("failed"), id: count, detail: z.string().max(2000) }),
  z.object({ kind: z.literal("cancelled"), id: count }),
]);
export type SpeechAnswer = z.infer<typeof SpeechAnswer>;

const Said = z.union([
  z.object({ kind: z.literal("ready"), facts: SpeechFacts }),
  /** The model could not be loaded; the process exits. `missing`: the library has no build for this system. */
  z.object({ kind: z.literal("unable"), missing: z.boolean(), detail: z.string().max(2000) }),
  z.object({ kind: z.literal("alive") }),
  SpeechAnswer,
]);

export type SpeechMessage = z.infer<typeof Said>;

export const SPEECH_PROTOCOL: HostProtocol<SpeechAnswer, SpeechFacts> = {
  read: (message) => Said.safeParse(message).data ?? null,
  isLast: ({ kind }) => kind !== "decoded" && kind !== "part",
};
