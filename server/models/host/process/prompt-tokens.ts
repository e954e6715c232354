import type { ChatHistoryItem, Token } from "node-llama-cpp";
import type { ChatTurn } from "../protocol.ts";

export function sharedLength(tokens: readonly Token[], known: readonly Token[]): number {
  const at = tokens.findIndex((token, place) => token !== known[place]);
  return at < 0 ? tokens.length : at;
}

/** Converts turns to the library's form; the library applies the model's chat template and joins consecutive turns of one side. */
export const historyOf = (turns: readonly ChatTurn[]): ChatHistoryItem[] =>
  turns.map(({ role, content }): ChatHistoryItem => {
    if (role === "system") return { type: "system", text: content };
    return role === "user" ? { type: "user", text: content } : { type: "model", response: [content] };
  });
