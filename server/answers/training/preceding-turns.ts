import { type HistoryMessage, SESSION_PAUSE_MS } from "#server/answers/fidelity/split-history.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";

/** As many as a channel shows at most. */
const TURNS = 30;

/**
 * Returns the turns of the same session before a message that the owner answered, so that a twin is asked as in a channel: with what both
 * had just said. Earlier sessions may belong to the half that the twin must not know.
 * @param messages in the order of `History.messages`: by chat, and in order of time within a chat
 * @param replyMessageId any message of the owner's reply
 */
export function createTurnReader(messages: readonly HistoryMessage[]): (replyMessageId: number) => HistoryTurn[] {
  const places = new Map(messages.map(({ id }, at) => [id, at]));
  return (replyMessageId) => {
    const reply = places.get(replyMessageId);
    if (reply === undefined) return [];
    const turns: HistoryTurn[] = [];
    let later = messages[reply]!;
    // The reply itself and what it answers come first; they are no history.
    let passed: "reply" | "question" | "both" = "reply";
    for (let at = reply - 1; at >= 0; at--) {
      const message = messages[at]!;
      if (message.chatId !== later.chatId || later.at - message.at > SESSION_PAUSE_MS) break;
      later = message;
      const isOwners = message.author === null;
      if (passed === "reply" && !isOwners) passed = "question";
      if (passed === "question" && isOwners) passed = "both";
      if (passed !== "both") continue;
      const role = isOwners ? "assistant" : "user";
      const first = turns[0];
      if (first?.role === role) first.content = `${message.text}\n${first.content}`;
      else if (turns.length === TURNS) break;
      else turns.unshift({ role, content: message.text });
    }
    return turns;
  };
}
