import type { LlamaModel, Token } from "node-llama-cpp";
import type { ChatTurn } from "../protocol.ts";
import type { ChatContext } from "./chat-context.ts";
import type { TaskOutcome } from "./outcome.ts";
import { historyOf, sharedLength } from "./prompt-tokens.ts";

/** Number of tokens between two checks of the signal; on a slow core they take most of a second. */
const STEP = 16;
/** Two messages that begin differently: with any template, the tokens that their prompts have in common precede the message. */
const PROBES = ["Да", "Нет"];

/**
 * Evaluates the common prefix of every prompt that consists of these turns and one more message. The context then holds it when the message
 * arrives. After the signal it stops within `STEP` tokens and keeps what it has evaluated.
 */
export async function prefill(
  { chat, context, sequence }: ChatContext,
  { model, turns, signal }: { model: LlamaModel; turns: readonly ChatTurn[]; signal: AbortSignal },
): Promise<TaskOutcome> {
  const [one, other] = PROBES.map((content): Token[] => {
    const chatHistory = [...historyOf([...turns, { role: "user", content }]), { type: "model" as const, response: [] }];
    return chat.chatWrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer);
  });
  const tokens = one!.slice(0, sharedLength(one!, other!));
  // A model without a state per token has to read the conversation from its beginning anyway.
  const pointless = tokens.length >= context.contextSize || sequence.needsCheckpoints;
  if (pointless || signal.aborted) return { kind: "prefill", tokens: tokens.length, anew: 0 };
  await sequence.adaptStateToTokens(tokens, false);
  const known = sequence.nextTokenIndex;
  while (!signal.aborted && sequence.nextTokenIndex < tokens.length) {
    const from = sequence.nextTokenIndex;
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(from, from + STEP));
  }
  return { kind: "prefill", tokens: tokens.length, anew: sequence.nextTokenIndex - known };
}
