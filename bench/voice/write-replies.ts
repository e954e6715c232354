// Replies of a model with and without a voice, as its process in the product writes them (server/models/local/host/generate.ts).
import { type ChatHistoryItem, getLlama, LlamaChat, LlamaLogLevel } from "node-llama-cpp";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { Exchange, PartedTalks } from "./part-talks.ts";
import { type Language, SYSTEM } from "./training-lines.ts";

/** One way to ask. */
export interface Way {
  voice: string | null;
  /** Exchanges of the twin's memory that stand before the message, as real turns. */
  examples: number;
  temperature: number;
}

const CONTEXT = 2048;
const MAX_TOKENS = 80;
const LONGEST_EXAMPLE = 300;

export async function openWriter(modelPath: string, threads: number) {
  const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.disabled });
  llama.maxThreads = threads;
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  return {
    /** A reply to each of the held messages, in order. */
    async replies({ sessions, held }: PartedTalks, language: Language, asked: number, way: Way): Promise<string[]> {
      const { voice, examples, temperature } = way;
      const context = await model.createContext({
        contextSize: CONTEXT,
        threads,
        ...(voice === null ? {} : { lora: voice }),
      });
      const chat = new LlamaChat({ contextSequence: context.getSequence() });
      const memory = sessions.flat().filter(({ incoming, reply }) => incoming.length + reply.length < LONGEST_EXAMPLE);
      const replies: string[] = [];
      for (const [at, { incoming }] of held.slice(-asked).entries()) {
        const random = seededRandom(`reply ${at}`);
        const shown = Array.from({ length: examples }, () => memory[Math.floor(random() * memory.length)]!);
        const { response } = await chat.generateResponse(
          [{ type: "system", text: SYSTEM[language] }, ...shown.flatMap(turns), { type: "user", text: incoming }],
          {
            maxTokens: MAX_TOKENS,
            ...{ temperature, topP: 0.95, minP: 0.05, seed: at + 1 },
            budgets: { thoughtTokens: 0, commentTokens: 0 },
          },
        );
        replies.push(response.trim());
      }
      await context.dispose();
      return replies;
    },
    close: () => llama.dispose(),
  };
}

const turns = ({ incoming, reply }: Exchange): ChatHistoryItem[] => [
  { type: "user", text: incoming },
  { type: "model", response: [reply] },
];
