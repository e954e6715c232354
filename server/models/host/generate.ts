import { type ChatHistoryItem, type Llama, LlamaChat, LlamaGrammar, type LlamaModel } from "node-llama-cpp";
import type { GenerateTask } from "../protocol.ts";
import type { Outcome } from "./load.ts";

export type Generate = (task: GenerateTask, signal: AbortSignal, delta: (text: string) => void) => Promise<Outcome>;

/** Tokens of a prompt that are read at once: more would take memory and hold a cancelled one longer. */
const BATCH = 256;

/** One talk at a time; what a prompt shares with the one before it is not read again. */
export async function openGenerator(
  llama: Llama,
  model: LlamaModel,
  { contextTokens, threads }: { contextTokens: number; threads: number },
): Promise<Generate> {
  const context = await model.createContext({ contextSize: contextTokens, batchSize: BATCH, sequences: 1, threads });
  const sequence = context.getSequence();
  const chat = new LlamaChat({ contextSequence: sequence });

  const generate: Generate = async (task, signal, delta) => {
    signal.throwIfAborted();
    const history = historyOf(task);
    const { contextText } = chat.chatWrapper.generateContextState({
      chatHistory: [...history, { type: "model", response: [] }],
    });
    const input = contextText.tokenize(model.tokenizer).length;
    const room = context.contextSize - task.maxTokens - 1;
    if (input > room) return { kind: "too-long", tokens: input, room };
    let output = 0;
    const { metadata } = await chat.generateResponse(history, {
      signal,
      maxTokens: task.maxTokens,
      temperature: task.temperature,
      ...(task.temperature > 0 ? { topP: 0.95, minP: 0.05 } : {}),
      seed: task.seed,
      customStopTriggers: task.stop,
      // What it thinks nobody reads, and on a processor it takes minutes.
      budgets: { thoughtTokens: 0, commentTokens: 0 },
      ...(task.grammar === null ? {} : { grammar: new LlamaGrammar(llama, { grammar: task.grammar }) }),
      onToken: (tokens) => {
        output += tokens.length;
      },
      onTextChunk: delta,
    });
    return { kind: "done", stopped: metadata.stopReason === "maxTokens" ? "length" : "end", input, output };
  };
  let before: Promise<unknown> = Promise.resolve();
  return (task, signal, delta) => {
    // One that was cancelled may still end its token.
    const mine = before.then(() => generate(task, signal, delta));
    before = mine.catch(() => undefined);
    return mine;
  };
}

/** The model's own chat template is applied by the library; turns of one side in a row are its to join. */
const historyOf = ({ turns }: GenerateTask): ChatHistoryItem[] =>
  turns.map(({ role, content }): ChatHistoryItem => {
    if (role === "system") return { type: "system", text: content };
    return role === "user" ? { type: "user", text: content } : { type: "model", response: [content] };
  });
