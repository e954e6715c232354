/** Finds reply pairs in a chat: an incoming turn and the owner's answer to it. */

export interface ChatLine {
  id: number;
  externalId: string;
  replyTo: string | null;
  /** The author; null for the owner and for authors without a name. */
  contactId: number | null;
  fromOwner: boolean;
  /** `text` is written, `said` was heard in a recording; of `media` the text is what a picture shows. */
  kind: "text" | "said" | "forward" | "media";
  text: string;
  sentAt: Date;
}

export interface TurnPair {
  contactId: number;
  /** Messages of a turn are joined by a line break. */
  incoming: string;
  reply: string;
  /** First message with words of the reply. */
  replyMessageId: number;
  repliedAt: Date;
}

/** Longest pause within a turn. */
const TURN_PAUSE_MS = 2 * 60_000;
/** A later answer is not paired, because after a day it rarely refers to the last message. */
const ANSWER_WITHIN_MS = 24 * 3600_000;
/** How many turns back the target of an explicit reply is searched for. */
const REMEMBERED_TURNS = 50;
/** A longer reply is an article rather than an answer and is not paired; of a longer question only the end is kept. */
const LONGEST_TURN = 4000;

interface Turn {
  contactId: number | null;
  fromOwner: boolean;
  externalIds: Set<string>;
  replyTo: string | null;
  words: string[];
  firstWordsId: number;
  firstWordsAt: Date;
  startedAt: Date;
  endedAt: Date;
}

/** The pairs of one chat, whose messages must be in ascending order of time. */
export function* pairTurns(lines: Iterable<ChatLine>): Generator<TurnPair> {
  const pairer = new TurnPairer();
  for (const line of lines) {
    const pair = pairer.add(line);
    if (pair !== null) yield pair;
  }
  const last = pairer.end();
  if (last !== null) yield last;
}

/**
 * The same line by line. Messages of one author with pauses of at most two minutes and nobody between are a turn. The owner's turn
 * answers the turn it explicitly replies to, else the one directly before it; nothing when that is the owner's own, has no words of
 * its author (media, forwards) or ended more than 24 hours before.
 */
export class TurnPairer {
  #turn: Turn | null = null;
  readonly #before: Turn[] = [];

  /** Takes a message; returns the pair that it completes by beginning the next turn. */
  add(line: ChatLine): TurnPair | null {
    if (this.#turn !== null && continues(this.#turn, line)) {
      append(this.#turn, line);
      return null;
    }
    const pair = this.end();
    this.#turn = startTurn(line);
    return pair;
  }

  /** The message that the running turn's pair would be known by; null when the owner does not speak. */
  get openReply(): number | null {
    return this.#turn?.fromOwner === true ? this.#turn.firstWordsId : null;
  }

  /** Ends the current turn and returns its pair. */
  end(): TurnPair | null {
    const turn = this.#turn;
    this.#turn = null;
    if (turn === null) return null;
    const pair = this.#pairOf(turn);
    this.#before.push(turn);
    if (this.#before.length > REMEMBERED_TURNS) this.#before.shift();
    return pair;
  }

  #pairOf(turn: Turn): TurnPair | null {
    if (!turn.fromOwner || turn.words.length === 0) return null;
    const { replyTo } = turn;
    const asked =
      replyTo === null ? this.#before.at(-1) : this.#before.findLast(({ externalIds }) => externalIds.has(replyTo));
    if (asked === undefined || asked.fromOwner || asked.contactId === null || asked.words.length === 0) return null;
    if (turn.startedAt.getTime() - asked.endedAt.getTime() > ANSWER_WITHIN_MS) return null;
    const reply = turn.words.join("\n");
    if (reply.length > LONGEST_TURN) return null;
    return {
      contactId: asked.contactId,
      incoming: asked.words.join("\n").slice(-LONGEST_TURN).toWellFormed(),
      reply,
      replyMessageId: turn.firstWordsId,
      repliedAt: turn.firstWordsAt,
    };
  }
}

function continues(turn: Turn, line: ChatLine): boolean {
  return (
    turn.fromOwner === line.fromOwner &&
    turn.contactId === line.contactId &&
    // An answer to another message begins anew.
    (line.replyTo === null || line.replyTo === turn.replyTo) &&
    line.sentAt.getTime() - turn.endedAt.getTime() <= TURN_PAUSE_MS
  );
}

function startTurn(line: ChatLine): Turn {
  const { contactId, fromOwner, replyTo, sentAt } = line;
  const turn: Turn = {
    contactId,
    fromOwner,
    replyTo,
    externalIds: new Set(),
    words: [],
    firstWordsId: line.id,
    firstWordsAt: sentAt,
    startedAt: sentAt,
    endedAt: sentAt,
  };
  append(turn, line);
  return turn;
}

function append(turn: Turn, line: ChatLine): void {
  turn.externalIds.add(line.externalId);
  turn.endedAt = line.sentAt;
  // A reply is an example of how its author writes; a question is one in whichever way it came.
  const counts = line.fromOwner ? line.kind === "text" : line.kind !== "forward";
  const words = counts ? line.text.trim() : "";
  if (words === "") return;
  if (turn.words.length === 0) {
    turn.firstWordsId = line.id;
    turn.firstWordsAt = line.sentAt;
  }
  turn.words.push(words);
}
