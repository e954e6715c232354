/** Splits a history by sessions, so that the twin knows no other message of the conversations that it is tested on. */
import { ENOUGH_TO_BE_SURE } from "#contract/quality.ts";
import { TURN_PAUSE_MS } from "#server/knowledge/messages/turn-pause.ts";
import { shuffled } from "./verifier.ts";

export interface HistoryMessage {
  id: number;
  chatId: number;
  /** Contact id of the author; null: the owner. */
  author: number | null;
  /** Time of the message, in milliseconds since 1970. */
  at: number;
  text: string;
}

/** Consecutive messages of one author with pauses of at most two minutes. */
export interface Turn {
  messageIds: number[];
  author: number | null;
  text: string;
}

/** `held`: messages that the twin is tested on; the other two alternate as the twin's memory and the verifier's data. */
export type Part = "held" | "one" | "other";

export interface SplitHistory {
  turns: { part: Part; turn: Turn }[];
  partOf: ReadonlyMap<number, Part>;
}

/** A longer pause, in milliseconds, ends a session. */
export const SESSION_PAUSE_MS = 6 * 3600_000;
/**
 * Minimum share of the owner's messages that is held out; for a short history up to `LARGEST_HELD_SHARE`, until there are enough turns to
 * compare.
 */
const HELD_SHARE = 0.2;
const LARGEST_HELD_SHARE = 1 / 3;

interface Session {
  startedAt: number;
  own: number;
  ownTurns: number;
  turns: Turn[];
}

/** @param messages grouped by chat, in order of time within a chat */
export function splitHistory(messages: readonly HistoryMessage[], random: () => number): SplitHistory {
  const sessions = [...sessionsOf(messages)].toSorted((a, b) => b.startedAt - a.startedAt);
  const total = sessions.reduce((sum, { own }) => sum + own, 0);
  const held = { messages: 0, turns: 0 };
  const newest = sessions.findIndex(({ own, ownTurns }) => {
    held.messages += own;
    held.turns += ownTurns;
    if (held.messages >= LARGEST_HELD_SHARE * total) return true;
    return held.messages >= HELD_SHARE * total && held.turns >= ENOUGH_TO_BE_SURE.held;
  });
  const parts = new Map<Session, Part>(sessions.slice(0, newest + 1).map((session) => [session, "held"]));
  const sizes = { one: 0, other: 0 };
  // In random order, each session joins the half with fewer of the owner's messages: the halves are similar in size and mixed in time.
  for (const session of shuffled(sessions.slice(newest + 1), random)) {
    const part = sizes.one <= sizes.other ? "one" : "other";
    sizes[part] += session.own;
    parts.set(session, part);
  }
  const turns = [...parts].flatMap(([session, part]) => session.turns.map((turn) => ({ part, turn })));
  const partOf = new Map(turns.flatMap(({ part, turn }) => turn.messageIds.map((id) => [id, part] as const)));
  return { turns, partOf };
}

function* sessionsOf(messages: readonly HistoryMessage[]): Generator<Session> {
  let session: Session | null = null;
  let before: HistoryMessage | null = null;
  for (const message of messages) {
    const pause = before?.chatId === message.chatId ? message.at - before.at : Number.POSITIVE_INFINITY;
    if (session === null || pause > SESSION_PAUSE_MS) {
      if (session !== null) yield session;
      session = { startedAt: message.at, own: 0, ownTurns: 0, turns: [] };
    }
    const turn = session.turns.at(-1);
    if (turn !== undefined && turn.author === message.author && pause <= TURN_PAUSE_MS) {
      turn.messageIds.push(message.id);
      turn.text += `\n${message.text}`;
    } else {
      session.turns.push({ messageIds: [message.id], author: message.author, text: message.text });
      if (message.author === null) session.ownTurns++;
    }
    if (message.author === null) session.own++;
    before = message;
  }
  if (session !== null) yield session;
}
