/** Parts a history by sessions, so that no message of a talk is known to the twin while its neighbours are asked about. */
import { shuffled } from "./verifier.ts";

export interface HistoryMessage {
  id: number;
  chatId: number;
  /** null: the owner. */
  author: number | null;
  /** Milliseconds since 1970. */
  at: number;
  text: string;
}

/** Messages of one author within two minutes and nobody between: what is said in one go. */
export interface Turn {
  messageIds: number[];
  author: number | null;
  text: string;
}

/** `held`: what the twin is asked about; the halves take turns as its memory and as the verifier's. */
export type Part = "held" | "one" | "other";

export interface PartedHistory {
  turns: { part: Part; turn: Turn }[];
  /** Of every message. */
  partOf: ReadonlyMap<number, Part>;
}

const SESSION_PAUSE_MS = 6 * 3600_000;
const TURN_PAUSE_MS = 2 * 60_000;
/** Of the owner's messages, at least. */
const HELD_SHARE = 0.2;

interface Session {
  startedAt: number;
  own: number;
  turns: Turn[];
}

/** @param messages by chat, within a chat in the order of time */
export function partHistory(messages: readonly HistoryMessage[], random: () => number): PartedHistory {
  const sessions = [...sessionsOf(messages)].toSorted((a, b) => b.startedAt - a.startedAt);
  const total = sessions.reduce((sum, { own }) => sum + own, 0);
  let held = 0;
  const newest = sessions.findIndex(({ own }) => {
    held += own;
    return held >= HELD_SHARE * total;
  });
  const parts = new Map<Session, Part>(sessions.slice(0, newest + 1).map((session) => [session, "held"]));
  const sizes = { one: 0, other: 0 };
  // At random, each into the half that has less of the owner: the halves are alike in size and mixed in time.
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
      session = { startedAt: message.at, own: 0, turns: [] };
    }
    const turn = session.turns.at(-1);
    if (turn !== undefined && turn.author === message.author && pause <= TURN_PAUSE_MS) {
      turn.messageIds.push(message.id);
      turn.text += `\n${message.text}`;
    } else session.turns.push({ messageIds: [message.id], author: message.author, text: message.text });
    if (message.author === null) session.own++;
    before = message;
  }
  if (session !== null) yield session;
}
