/** What the server keeps of a dialogue, as turns of its chat. */
import type { QueryKey } from "@tanstack/react-query";
import type { ChatMessage } from "#contract/conversations.ts";
import type { ChatTurn } from "./chat.ts";

/** Whether a query's key is that of `GET /api/conversations/{id}/messages`. */
export const isTranscript = ([path, , part]: QueryKey) => path === "/api/conversations" && part === "messages";

/** Oldest first. A question that was asked once more stands there once, with the last answer and the former ones in it. */
export function turnsOf(messages: readonly ChatMessage[]): ChatTurn[] {
  const turns: ChatTurn[] = [];
  let former: string[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.again && last?.role === "assistant" && turns.at(-2)?.content === message.content) {
      former = [...(last.former ?? []), last.content];
      turns.pop();
      continue;
    }
    turns.push({ ...turnOf(message), ...(former.length > 0 ? { former } : {}) });
    former = [];
  }
  return turns;
}

function turnOf(message: ChatMessage): ChatTurn {
  const { id, role, author, content, timestamp, sources, exemplars, confidence, basis, reason, durationMs, feedback } =
    message;
  const turn = { id: Number(id), role, content, timestamp };
  if (role === "user") return turn;
  if (author === "owner") return { ...turn, author };
  if (message.stopped) return { ...turn, state: "stopped" };
  return {
    ...turn,
    ...(durationMs === null ? {} : { durationMs }),
    feedback,
    reply: {
      response: content,
      messageId: id,
      sources,
      ...(exemplars ? { exemplars } : {}),
      ...(confidence === null ? {} : { confidence }),
      ...(basis ? { basis } : {}),
      ...(reason ? { reason } : {}),
    },
  };
}
