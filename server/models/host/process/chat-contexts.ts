/**
 * Contexts for text generation: one of the plain model, and one of the adapter used last. A context keeps the tokens that it has evaluated,
 * so that the next prompt need not be read from its beginning. Adapters never share a context.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LlamaChat, type LlamaContext, type LlamaContextSequence, type LlamaModel } from "node-llama-cpp";

export interface ChatContext {
  chat: LlamaChat;
  context: LlamaContext;
  sequence: LlamaContextSequence;
}

interface Opening {
  contextTokens: number;
  threads: number;
}

/** Batch size in tokens. A larger batch takes more memory, delays cancellation and occupies its threads longer when other work begins. */
const BATCH = 64;
/** Milliseconds after which an unused adapter releases its memory. */
const IDLE_MS = 10 * 60_000;

export class ChatContexts {
  readonly plain: ChatContext;
  readonly #model: LlamaModel;
  readonly #opening: Opening;
  #adapted: { path: string; chat: ChatContext; usedAt: number } | null = null;

  static async open(model: LlamaModel, opening: Opening): Promise<ChatContexts> {
    return new ChatContexts(model, opening, await openContext(model, opening));
  }

  private constructor(model: LlamaModel, opening: Opening, plain: ChatContext) {
    this.#model = model;
    this.#opening = opening;
    this.plain = plain;
  }

  /**
   * Returns the context with this adapter; null: the adapter does not load or belongs to another model. Call it only between generations.
   */
  async withAdapter(path: string): Promise<ChatContext | null> {
    if (this.#adapted?.path !== path) {
      await this.#letGo();
      const adapted = await openContext(this.#model, this.#opening, path).catch(() => null);
      if (adapted === null) {
        await freeAdapter(this.#model, path);
        return null;
      }
      this.#adapted = { path, chat: adapted, usedAt: 0 };
    }
    this.#adapted.usedAt = performance.now();
    return this.#adapted.chat;
  }

  /** Releases an adapter that is idle or whose file is deleted, together with its context. Call it only between generations. */
  async tidy(): Promise<void> {
    if (this.#adapted === null) return;
    const { path, usedAt } = this.#adapted;
    if (performance.now() - usedAt > IDLE_MS || !existsSync(path)) await this.#letGo();
  }

  async #letGo(): Promise<void> {
    const left = this.#adapted;
    if (left === null) return;
    this.#adapted = null;
    await left.chat.context.dispose();
    await freeAdapter(this.#model, left.path);
  }
}

async function openContext(
  model: LlamaModel,
  { contextTokens, threads }: Opening,
  adapter?: string,
): Promise<ChatContext> {
  // A context never gets more threads than it was created with; spare-cores.ts chooses the number in use before each batch.
  const { llama } = model;
  llama.maxThreads = Math.max(llama.maxThreads, threads);
  const context = await model.createContext({
    ...{ contextSize: contextTokens, batchSize: BATCH, sequences: 1, threads },
    // An adapter of another model fails with a smaller context too, so the size is not reduced for it.
    ...(adapter === undefined ? {} : { lora: { adapters: [{ filePath: adapter }] }, failedCreationRemedy: false }),
  });
  const sequence = context.getSequence();
  return { chat: new LlamaChat({ contextSequence: sequence }), context, sequence };
}

/** node-llama-cpp 3.22.1 keeps every adapter until its model is disposed, which with many twins would fill the memory. */
async function freeAdapter(model: LlamaModel, path: string): Promise<void> {
  const { _loraAdapters: kept } = model as unknown as { _loraAdapters: Map<string, { dispose(): Promise<void> }> };
  const adapter = kept.get(resolve(path));
  kept.delete(resolve(path));
  await adapter?.dispose();
}
