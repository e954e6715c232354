/** Tracks the owner's turns, sessions and answers in each chat: the part of the style that single messages do not show. */
import type { PhraseKind } from "#server/knowledge/language/words/lexicon.ts";
import { TURN_PAUSE_MS } from "#server/knowledge/messages/turn-pause.ts";
import { type Occasion, phraseKindsIn } from "./counted-phrases.ts";
import { haggles } from "./self/social-acts.ts";
import { Distribution } from "./style-counters.ts";

const HOUR = 3_600_000;
/** A longer pause starts a new session. */
const SESSION_PAUSE = 6 * HOUR;
/** Length in characters beyond which only the edges of a text are searched. */
const LONG = 120;

interface Turn {
  messages: number;
  characters: number;
  sentences: number;
  at: number | null;
  greets: boolean;
  parts: boolean;
  first: boolean;
  answersGreeting: boolean;
  answersFarewell: boolean;
}

interface Chat {
  lastAt: number | null;
  ownerSpoke: boolean;
  /** Time of the others' last unanswered message, in ms since 1970; null when all are answered. */
  incomingAt: number | null;
  heard: Set<PhraseKind>;
  haggled: boolean;
  turn: Turn | null;
}

const HEARD_NOTHING = () => ({ heard: new Set<PhraseKind>(), haggled: false });

interface TurnCounts {
  turns: number;
  several: number;
  first: number;
  firstGreeting: number;
  greetingsMet: number;
  greetingsAnswered: number;
  farewellsMet: number;
  farewellsAnswered: number;
}

/** Receives every message of every chat once, in chat order. */
export class TurnTracker {
  readonly #chats = new Map<string | number, Chat>();
  readonly #counts: TurnCounts = {
    turns: 0,
    several: 0,
    first: 0,
    firstGreeting: 0,
    greetingsMet: 0,
    greetingsAnswered: 0,
    farewellsMet: 0,
    farewellsAnswered: 0,
  };
  readonly #characters = new Distribution();
  readonly #sentences = new Distribution();
  /** Distribution of the owner's response times, in seconds. */
  readonly delays = new Distribution();

  get chats(): number {
    return this.#chats.size;
  }

  /** @param at ms since 1970, or null */
  addIncoming(chatId: string | number, text: string, at: number | null): void {
    const chat = this.#chatAt(chatId, at);
    // Phrases from before the owner's turn no longer count.
    if (chat.turn !== null) Object.assign(chat, HEARD_NOTHING());
    this.#endTurn(chat);
    chat.incomingAt = at;
    // Greetings and farewells stand at the edges of a text, so the middle of a long one is not searched.
    const edges = text.length > LONG ? [text.slice(0, LONG / 2), text.slice(-LONG / 2)] : [text];
    chat.haggled ||= haggles(text);
    for (const edge of edges) for (const kind of phraseKindsIn(edge)) chat.heard.add(kind);
  }

  /** Returns the context of the owner's next message; call it before adding the message. */
  occasionOf(chatId: string | number, at: number | null): Occasion {
    const chat = this.#chatAt(chatId, at);
    const opens = at === null || !chat.ownerSpoke || chat.turn?.first === true;
    return { opens, heard: chat.heard, haggled: chat.haggled, follows: chat.turn !== null };
  }

  /** Adds a message of the owner. Returns its position in the turn, from 1, and the seconds since the message that it answers. */
  addOwners(
    chatId: string | number,
    text: string,
    at: number | null,
    greets: boolean,
    parts: boolean,
  ): { place: number; delay: number | null } {
    const chat = this.#chatAt(chatId, at);
    const answers = at !== null && chat.incomingAt !== null && at >= chat.incomingAt;
    const delay = answers ? Math.round((at - chat.incomingAt!) / 1000) : null;
    if (delay !== null) this.delays.add(delay);
    if (chat.turn !== null && at !== null && chat.turn.at !== null && at - chat.turn.at > TURN_PAUSE_MS)
      this.#endTurn(chat);
    chat.turn ??= {
      messages: 0,
      characters: 0,
      sentences: 0,
      at,
      greets: false,
      parts: false,
      first: !chat.ownerSpoke,
      answersGreeting: chat.heard.has("greeting") && !chat.ownerSpoke,
      answersFarewell: chat.heard.has("farewell"),
    };
    chat.turn.messages++;
    chat.turn.characters += text.length;
    chat.turn.sentences += sentencesIn(text);
    chat.turn.at = at;
    chat.turn.greets ||= greets;
    chat.turn.parts ||= parts;
    Object.assign(chat, { ownerSpoke: true, incomingAt: null });
    return { place: chat.turn.messages, delay };
  }

  /** Records that the owner answered by voice: incoming messages are answered, and the written turn ends. */
  passOwners(chatId: string | number, at: number | null): void {
    const chat = this.#chatAt(chatId, at);
    this.#endTurn(chat);
    Object.assign(chat, { ownerSpoke: true, incomingAt: null, ...HEARD_NOTHING() });
  }

  /** Adds the counts of a tracker with other chats; that tracker must not be used afterwards. */
  join(other: TurnTracker): void {
    for (const [id, chat] of other.#chats) this.#chats.set(id, chat);
    for (const name of Object.keys(this.#counts) as (keyof TurnCounts)[]) this.#counts[name] += other.#counts[name];
    this.#characters.join(other.#characters);
    this.#sentences.join(other.#sentences);
    this.delays.join(other.delays);
  }

  /** Returns figures over all turns so far, including unfinished ones. */
  result(): { counts: TurnCounts; sentences: number; characters: { p25: number; median: number; p75: number } } {
    const counts = { ...this.#counts };
    const characters = this.#characters.copy();
    const sentences = this.#sentences.copy();
    for (const { turn } of this.#chats.values()) if (turn !== null) countTurn(turn, counts, characters, sentences);
    return { counts, sentences: sentences.quantile(0.5), characters: characters.quartiles() };
  }

  #chatAt(id: string | number, at: number | null): Chat {
    let chat = this.#chats.get(id);
    if (chat === undefined) {
      chat = { lastAt: null, ownerSpoke: false, incomingAt: null, ...HEARD_NOTHING(), turn: null };
      this.#chats.set(id, chat);
    }
    if (at !== null && chat.lastAt !== null && at - chat.lastAt > SESSION_PAUSE) {
      this.#endTurn(chat);
      Object.assign(chat, { ownerSpoke: false, incomingAt: null, ...HEARD_NOTHING() });
    }
    chat.lastAt = at ?? chat.lastAt;
    return chat;
  }

  #endTurn(chat: Chat): void {
    if (chat.turn === null) return;
    countTurn(chat.turn, this.#counts, this.#characters, this.#sentences);
    chat.turn = null;
  }
}

function countTurn(turn: Turn, counts: TurnCounts, characters: Distribution, sentences: Distribution): void {
  counts.turns++;
  if (turn.messages > 1) counts.several++;
  if (turn.first) counts.first++;
  if (turn.first && turn.greets) counts.firstGreeting++;
  if (turn.answersGreeting) counts.greetingsMet++;
  if (turn.answersGreeting && turn.greets) counts.greetingsAnswered++;
  if (turn.answersFarewell) counts.farewellsMet++;
  if (turn.answersFarewell && turn.parts) counts.farewellsAnswered++;
  characters.add(turn.characters);
  sentences.add(turn.sentences);
}

function sentencesIn(text: string): number {
  const parts = text.match(/[^.!?…\n]+[.!?…\n]*/g) ?? [];
  return Math.max(1, parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).length);
}
