import { LlamaChat, type LlamaContext, type LlamaContextSequence, type LlamaModel } from "node-llama-cpp";

/** A context keeps the tokens that it has evaluated, so that the next prompt need not be read from its beginning. */
export interface ChatContext {
  chat: LlamaChat;
  context: LlamaContext;
  sequence: LlamaContextSequence;
}

/** Batch size in tokens. A larger batch takes more memory, delays cancellation and occupies its threads longer when other work begins. */
const BATCH = 64;

export async function openChatContext(
  model: LlamaModel,
  { contextTokens, threads }: { contextTokens: number; threads: number },
): Promise<ChatContext> {
  // A context never gets more threads than it was created with; spare-cores.ts chooses the number in use before each batch.
  const { llama } = model;
  llama.maxThreads = Math.max(llama.maxThreads, threads);
  const context = await model.createContext({
    ...{ contextSize: contextTokens, batchSize: BATCH, sequences: 1, threads },
  });
  const sequence = context.getSequence();
  return { chat: new LlamaChat({ contextSequence: sequence }), context, sequence };
}
