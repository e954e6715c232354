// What a person's talks give for training a voice and for judging it: parted as the product parts a history to measure fidelity
// (server/answers/fidelity/split-history.ts), so that the voice learns the twin's half, and the judge knows the other.
import { type HistoryMessage, type Part, splitHistory, type Turn } from "#server/answers/fidelity/split-history.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { OwnersTalks } from "../material/talks.ts";

export interface Exchange {
  incoming: string;
  reply: string;
}

export interface PartedTalks {
  /** Sessions of the twin's half, the oldest first: what follows each other in a talk. */
  sessions: Exchange[][];
  /** What the owner was asked in the newest sessions, and answered; the newest last. */
  held: Exchange[];
  /** The owner's turns that the judge knows, and those of each other person. */
  judge: { own: string[]; people: string[][] };
  /** The owner's turns in the twin's half. */
  memory: string[];
}

/** What belongs to one talk: the product's pause between sessions. */
const SESSION_PAUSE_MS = 6 * 3600_000;
/** As much of a person as the product's judge looks at. */
const ENOUGH_OF_A_PERSON = 300;

interface PlacedTurn extends Turn {
  part: Part;
  chatId: number;
  at: number;
}

export function partTalks({ name, talks }: OwnersTalks): PartedTalks {
  const names = [...new Set(talks.flatMap(({ lines }) => lines.flatMap(({ author }) => author ?? [])))];
  const idOf = new Map(names.map((person, at) => [person, at]));
  const messages: HistoryMessage[] = talks.flatMap(({ lines }, chatId) =>
    lines.map(({ author, text, at }) => {
      return { id: 0, chatId, author: author === null ? null : idOf.get(author)!, at, text };
    }),
  );
  for (const [id, message] of messages.entries()) message.id = id;
  const groups = new Set(talks.flatMap(({ kind }, chatId) => (kind === "group" ? [chatId] : [])));
  const turns = splitHistory(messages, seededRandom(`voice of ${name}`)).turns.map(({ part, turn }): PlacedTurn => {
    const { chatId, at } = messages[turn.messageIds[0]!]!;
    return { ...turn, part, chatId, at };
  });
  const own = (wanted: Part) => turns.filter(({ part, author }) => part === wanted && author === null);
  const others = Map.groupBy(
    turns.filter(({ part, author }) => part !== "held" && author !== null),
    ({ author }) => author,
  );
  const sessions = [...sessionsOf(turns.filter(({ chatId }) => !groups.has(chatId)))].toSorted((a, b) => a.at - b.at);
  const of = (wanted: Part) => sessions.filter(({ part, exchanges }) => part === wanted && exchanges.length > 0);
  return {
    sessions: of("one").map(({ exchanges }) => exchanges),
    held: of("held").flatMap(({ exchanges }) => exchanges),
    judge: {
      own: textsOf(own("other")),
      people: [...others.values()].map((said) => textsOf(said).slice(-ENOUGH_OF_A_PERSON)),
    },
    memory: textsOf(own("one")),
  };
}

const textsOf = (turns: readonly PlacedTurn[]) => turns.toSorted((a, b) => a.at - b.at).map(({ text }) => text);

interface Session {
  part: Part;
  at: number;
  exchanges: Exchange[];
}

function* sessionsOf(turns: readonly PlacedTurn[]): Generator<Session> {
  const sorted = turns.toSorted((a, b) => a.chatId - b.chatId || a.at - b.at || a.messageIds[0]! - b.messageIds[0]!);
  let session: Session | null = null;
  let before: PlacedTurn | null = null;
  for (const turn of sorted) {
    if (session === null || before?.chatId !== turn.chatId || turn.at - before.at > SESSION_PAUSE_MS) {
      if (session !== null) yield session;
      session = { part: turn.part, at: turn.at, exchanges: [] };
      before = null;
    }
    if (before !== null && before.author !== null && turn.author === null) {
      session.exchanges.push({ incoming: before.text, reply: turn.text });
    }
    before = turn;
  }
  if (session !== null) yield session;
}
