import { TURN_PAUSE_MS } from "../turn-pause.ts";

export interface ChatLine {
  id: number;
  externalId: string;
  replyTo: string | null;
  /** The author; null for the owner and for authors without a name. */
  contactId: number | null;
  fromOwner: boolean;
  /** `text` is typed, `said` was heard in a recording; for `media` the text describes a picture. */
  kind: "text" | "said" | "forward" | "media";
  text: string;
  sentAt: Date;
}

export interface TurnPair {
  contactId: number;
  /** Messages of a turn are joined by a line break. */
  incoming: string;
  reply: string;
  replyMessageId: number;
  repliedAt: Date;
}

/** After a day, an answer rarely refers to the last message, so it is not paired. */
const ANSWER_WITHIN_MS = 24 * 3600_000;
/** Number of earlier turns searched for the target of an explicit reply. */
const REMEMBERED_TURNS = 50;
/** A longer reply is an article and is not paired; of a longer question only the end is kept. */
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

/**
 * Pairs line by line. A turn is the consecutive messages of one author with pauses of at most two minutes. The owner's turn answers the
 * turn to which it explicitly replies, else the preceding one. There is no pair when that turn is the owner's, has no words of its author
 * (media, forwards) or ended more than 24 hours before.
 */
export class TurnPairer {
  #turn: Turn | null = null;
  readonly #before: Turn[] = [];

  /** Adds a message; returns the pair that it completes by starting the next turn. */
  add(line: ChatLine): TurnPair | null {
    if (this.#turn !== null && continues(this.#turn, line)) {
      append(this.#turn, line);
      return null;
    }
    const pair = this.end();
    this.#turn = startTurn(line);
    return pair;
  }

  /** Message id that would identify the running turn's pair; null when the turn is not the owner's. */
  get openReply(): number | null {
    return this.#turn?.fromOwner === true ? this.#turn.firstWordsId : null;
  }

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
    // An explicit reply to another message starts a new turn.
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
  // A reply must be typed to show the author's style; a question counts in any form but a forward.
  const counts = line.fromOwner ? line.kind === "text" : line.kind !== "forward";
  const words = counts ? line.text.trim() : "";
  if (words === "") return;
  if (turn.words.length === 0) {
    turn.firstWordsId = line.id;
    turn.firstWordsAt = line.sentAt;
  }
  turn.words.push(words);
}
