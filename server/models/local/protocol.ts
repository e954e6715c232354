/**
 * What the server and the model's process say to each other over IPC (structured clones). The server believes nothing that comes back:
 * an answer that is not of this shape ends the process.
 */
import * as z from "zod";

/** A model file and how much of a text it may see at once. */
export interface ModelFile {
  path: string;
  /** Tokens; never more than the model was trained on. */
  contextTokens: number;
}

/** The first message to a new process. */
export interface LoadRequest {
  kind: "load";
  generator: ModelFile | null;
  embedder: ModelFile | null;
  reranker: ModelFile | null;
  /** null: physical cores but one, and all of them while the machine is otherwise idle. */
  threads: number | null;
}

export interface ChatTurn {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface GenerateTask {
  kind: "generate";
  /** A system turn first, if any; the last is the user's. */
  turns: readonly ChatTurn[];
  maxTokens: number;
  /** 0: always the likeliest token. */
  temperature: number;
  /** The same seed and turns give the same text. */
  seed: number;
  /** What ends the text, and is no part of it. */
  stop: readonly string[];
  /** GBNF of llama.cpp: the text will be of this form. */
  grammar: string | null;
  /** File of a LoRA adapter (GGUF) that the text is written with; null: the model as it is. */
  adapter: string | null;
}

/** Reads the beginning of a conversation's next prompt; see host/prefill.ts. */
export interface PrefillTask {
  kind: "prefill";
  /** All turns before the next message. */
  turns: readonly ChatTurn[];
  /** As of `GenerateTask`. */
  adapter: string | null;
}

/** Whether a text is a question or a passage: some models need to know. */
export type TextRole = "query" | "passage";

export interface EmbedTask {
  kind: "embed";
  text: string;
  role: TextRole;
}

export interface RerankTask {
  kind: "rerank";
  query: string;
  document: string;
}

export type HostTask = GenerateTask | PrefillTask | EmbedTask | RerankTask;
export type HostRequest = LoadRequest | (HostTask & { id: number }) | { kind: "cancel"; id: number };

const count = z.number().int().min(0);

/** What a loaded process serves; null: no such model. */
const HostFacts = z.object({
  /** At most. */
  threads: count,
  /** `parameters`: weights of the model, all of them; 0: not known. */
  generator: z.nullable(z.object({ contextTokens: count, parameters: count })),
  embedder: z.nullable(z.object({ contextTokens: count, dimensions: count })),
  reranker: z.nullable(z.object({ contextTokens: count })),
});
export type HostFacts = z.infer<typeof HostFacts>;

const HostAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), facts: HostFacts }),
  /** It could not load; the process ends. `missing`: there is no program for this system. */
  z.object({ kind: z.literal("unable"), missing: z.boolean(), detail: z.string().max(2000) }),
  /** Its event loop turns. */
  z.object({ kind: z.literal("alive") }),
  z.object({ kind: z.literal("delta"), id: count, text: z.string().max(10_000) }),
  z.object({
    kind: z.literal("done"),
    id: count,
    stopped: z.enum(["end", "length"]),
    input: count,
    output: count,
    /** Tokens of the input that were still read from the task before. */
    reused: z.optional(count),
    /** Whether the adapter could be used: without it the model as it is has answered. Absent: none was asked for. */
    adapted: z.optional(z.boolean()),
  }),
  /** Number of tokens that a prompt of the task's turns begins with, and how many of them were read now. */
  z.object({ kind: z.literal("prefill"), id: count, tokens: count, anew: count }),
  z.object({ kind: z.literal("vector"), id: count, vector: z.instanceof(Float32Array), tokens: count }),
  z.object({ kind: z.literal("score"), id: count, score: z.number().min(0).max(1) }),
  /** `room`: tokens that may be asked with, where it was too much. */
  z.object({ kind: z.literal("too-long"), id: count, tokens: count, room: z.number().int() }),
  z.object({ kind: z.literal("failed"), id: count, detail: z.string().max(2000) }),
  z.object({ kind: z.literal("cancelled"), id: count }),
]);
export type HostAnswer = z.infer<typeof HostAnswer>;
/** What comes back for one task. */
export type TaskAnswer = Extract<HostAnswer, { id: number }>;

/** null: nothing that a model's process says. */
export const readAnswer = (message: unknown): HostAnswer | null => HostAnswer.safeParse(message).data ?? null;
