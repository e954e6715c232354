/** Converts the server's transcript of a conversation to turns of its chat. */
import type { ChatMessage } from "#contract/conversations/conversations.ts";
import { hiddenWords } from "../hidden-words.ts";
import type { ChatTurn } from "./chat.ts";

/** Oldest first. A question that was asked several times appears once with its last answer, which contains the earlier ones. */
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

/** Milliseconds between looks for an answer that is made for another tab, or was made for this one before a reload. */
const COMING_MS = 3000;

/** For a query of a transcript: looks again while its last question is being answered. */
export const whileComing = ({ state }: { state: { data?: readonly ChatMessage[] | undefined } }): number | false =>
  state.data?.at(-1)?.answer === "coming" && COMING_MS;

/** Returns the turn of a stored message; for a repeated question, the one turn that represents all. */
export const turnWith = (turns: readonly ChatTurn[], messageId: string): ChatTurn | undefined =>
  turns.find(({ id, reply }) => String(id) === messageId || reply?.messageId === messageId) ??
  turns.findLast(({ id }) => id > 0 && id < Number(messageId));

function turnOf(message: ChatMessage): ChatTurn {
  const {
    id,
    role,
    author,
    content,
    timestamp,
    sources,
    replyExamples,
    confidence,
    basis,
    reason,
    action,
    parted,
    calls,
    scripted,
    durationMs,
    feedback,
  } = message;
  const turn = { id: Number(id), role, content, timestamp };
  if (role === "user") {
    const { media, quoted, answer } = message;
    return {
      ...turn,
      ...(media && { media }),
      ...(quoted !== undefined && { quoted }),
      ...(answer && { state: answer }),
    };
  }
  // A hidden answer shows no sources and cannot be corrected.
  if (message.hidden) return { ...turn, content: hiddenWords() };
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
      ...(replyExamples ? { replyExamples } : {}),
      ...(confidence === null ? {} : { confidence }),
      ...(basis ? { basis } : {}),
      ...(reason ? { reason } : {}),
      ...(action === undefined ? {} : { action }),
      ...(parted ? { parted } : {}),
      ...(calls ? { calls } : {}),
      ...(scripted ? { scripted } : {}),
    },
  };
}
