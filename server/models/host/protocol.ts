/**
 * IPC protocol (structured clones) between the server and the model process. The server trusts no answer: one of another shape ends the
 * process.
 */
import * as z from "zod";

export interface ModelFile {
  path: string;
  /** In tokens; at most the context length that the model was trained with. */
  contextTokens: number;
}

export interface LoadRequest {
  kind: "load";
  generator: ModelFile | null;
  embedder: ModelFile | null;
  reranker: ModelFile | null;
  /** null: one less than the physical cores, and all of them while the machine is otherwise idle. */
  threads: number | null;
}

export interface ChatTurn {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface GenerateTask {
  kind: "generate";
  /** The first may be a system turn; the last is the user's. */
  turns: readonly ChatTurn[];
  maxTokens: number;
  /** 0: always the likeliest token. */
  temperature: number;
  /** The same seed and turns give the same text. */
  seed: number;
  /** Strings that end the text; the text does not include them. */
  stop: readonly string[];
  /** Grammar in llama.cpp's GBNF that constrains the text; null for free text. */
  grammar: string | null;
}

/** Reads the beginning of a conversation's next prompt; see process/prefill.ts. */
export interface PrefillTask {
  kind: "prefill";
  /** All turns before the next message. */
  turns: readonly ChatTurn[];
}

/** Whether a text is a query or a passage: some models use different prefixes. */
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

/** What a loaded process serves; null for a kind that it has no model of. */
const HostFacts = z.object({
  threads: count,
  /** `parameters`: number of all weights of the model; 0: unknown. */
  generator: z.nullable(z.object({ contextTokens: count, parameters: count })),
  embedder: z.nullable(z.object({ contextTokens: count, dimensions: count })),
  reranker: z.nullable(z.object({ contextTokens: count })),
});
export type HostFacts = z.infer<typeof HostFacts>;

const HostAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready"), facts: HostFacts }),
  /** The models could not be loaded; the process exits. `missing`: the library has no build for this system. */
  z.object({ kind: z.literal("unable"), missing: z.boolean(), detail: z.string().max(2000) }),
  /** Heartbeat: the event loop of the process is not blocked. */
  z.object({ kind: z.literal("alive") }),
  z.object({ kind: z.literal("delta"), id: count, text: z.string().max(10_000) }),
  z.object({
    kind: z.literal("done"),
    id: count,
    stopped: z.enum(["end", "length"]),
    input: count,
    output: count,
    /** Number of input tokens reused from the previous task's context. */
    reused: z.optional(count),
  }),
  /**
   * `tokens`: length of the prompt's beginning that the conversation so far determines. `anew`: how many of those tokens were evaluated for
   * this task; the others were in the context already.
   */
  z.object({ kind: z.literal("prefill"), id: count, tokens: count, anew: count }),
  z.object({ kind: z.literal("vector"), id: count, vector: z.instanceof(Float32Array), tokens: count }),
  z.object({ kind: z.literal("score"), id: count, score: z.number().min(0).max(1) }),
  /** `room`: number of tokens that would fit. */
  z.object({ kind: z.literal("too-long"), id: count, tokens: count, room: z.number().int() }),
  z.object({ kind: z.literal("failed"), id: count, detail: z.string().max(2000) }),
  z.object({ kind: z.literal("cancelled"), id: count }),
]);
export type HostAnswer = z.infer<typeof HostAnswer>;
export type TaskAnswer = Extract<HostAnswer, { id: number }>;

/** Parses a message; null: it is not one of a model process. */
export const readAnswer = (message: unknown): HostAnswer | null => HostAnswer.safeParse(message).data ?? null;
