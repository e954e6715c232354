import { type Llama, LlamaGrammar, type LlamaModel } from "node-llama-cpp";
import type { GenerateTask, PrefillTask } from "../protocol.ts";
import { openChatContext } from "./chat-context.ts";
import type { TaskOutcome } from "./outcome.ts";
import { prefill } from "./prefill.ts";
import { historyOf, sharedLength } from "./prompt-tokens.ts";

export interface Generator {
  generate(task: GenerateTask, signal: AbortSignal, delta: (text: string) => void): Promise<TaskOutcome>;
  /** Ends as soon as a generation is requested. */
  prefill(task: PrefillTask, signal: AbortSignal): Promise<TaskOutcome>;
}

/** Generates one text at a time. The prefix of a prompt that equals the previous one's is not evaluated again. */
export async function openGenerator(
  llama: Llama,
  model: LlamaModel,
  { contextTokens, threads }: { contextTokens: number; threads: number },
): Promise<Generator> {
  const opened = await openChatContext(model, { contextTokens, threads });
  const { chat, context, sequence } = opened;

  const generate: Generator["generate"] = async (task, signal, delta) => {
    signal.throwIfAborted();
    const history = historyOf(task.turns);
    const { contextText } = chat.chatWrapper.generateContextState({
      chatHistory: [...history, { type: "model", response: [] }],
    });
    const tokens = contextText.tokenize(model.tokenizer);
    const input = tokens.length;
    const room = context.contextSize - task.maxTokens - 1;
    if (input > room) return { kind: "too-long", tokens: input, room };
    const reused = sharedLength(tokens, sequence.contextTokens);
    let output = 0;
    const { metadata } = await chat.generateResponse(history, {
      signal,
      maxTokens: task.maxTokens,
      temperature: task.temperature,
      ...(task.temperature > 0 ? { topP: 0.95, minP: 0.05 } : {}),
      seed: task.seed,
      customStopTriggers: task.stop,
      // Reasoning tokens are not shown, and take minutes on a CPU.
      budgets: { thoughtTokens: 0, commentTokens: 0 },
      ...(task.grammar === null ? {} : { grammar: new LlamaGrammar(llama, { grammar: task.grammar }) }),
      onToken: (tokens) => {
        output += tokens.length;
      },
      onTextChunk: delta,
    });
    return { kind: "done", stopped: metadata.stopReason === "maxTokens" ? "length" : "end", input, output, reused };
  };

  let before: Promise<unknown> = Promise.resolve();
  const inTurn = (run: () => Promise<TaskOutcome>): Promise<TaskOutcome> => {
    // A cancelled generation may still be finishing its token, so the next one waits for it.
    const mine = before.then(run);
    before = mine.catch(() => undefined);
    return mine;
  };
  let prefilling = new AbortController();
  return {
    generate(task, signal, delta) {
      prefilling.abort();
      return inTurn(() => generate(task, signal, delta));
    },
    prefill(task, signal) {
      prefilling.abort();
      prefilling = new AbortController();
      const until = AbortSignal.any([signal, prefilling.signal]);
      return inTurn(() => prefill(opened, { model, turns: task.turns, signal: until }));
    },
  };
}
