/**
 * The contexts that texts are generated in: one of the plain model, and one of the adapter used last. A context keeps what it has read,
 * so that the next prompt need not be read from its beginning. No adapter gets a context that was used with another.
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

/** Batch size in tokens. A larger one takes more memory, delays cancellation, and keeps its threads longer when other work begins. */
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

  /** The context with this adapter; null: it does not load or is for another model. Call it only while nothing is generated. */
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

  /**
   * Releases an adapter whose file is deleted or that is idle, with what was read in its context. Call it only while nothing is
   * generated.
   */
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
  // A context never gets more threads than were allowed when it was created; the number in use is chosen before each batch (spare-cores.ts).
  const { llama } = model;
  llama.maxThreads = Math.max(llama.maxThreads, threads);
  const context = await model.createContext({
    ...{ contextSize: contextTokens, batchSize: BATCH, sequences: 1, threads },
    // An adapter of another model is none with a smaller context either.
    ...(adapter === undefined ? {} : { lora: { adapters: [{ filePath: adapter }] }, failedCreationRemedy: false }),
  });
  const sequence = context.getSequence();
  return { chat: new LlamaChat({ contextSequence: sequence }), context, sequence };
}

/** The library (3.22.1) keeps every adapter of a model as long as the model, which with many twins would fill the memory. */
async function freeAdapter(model: LlamaModel, path: string): Promise<void> {
  const { _loraAdapters: kept } = model as unknown as { _loraAdapters: Map<string, { dispose(): Promise<void> }> };
  const adapter = kept.get(resolve(path));
  kept.delete(resolve(path));
  await adapter?.dispose();
}
