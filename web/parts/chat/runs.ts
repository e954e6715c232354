/** How messages of a talk stand together: who said several in a row is named once, and the time stands once below them. */
import { formatDay } from "#web/i18n/when.ts";
import type { ChatTurn } from "./chat.ts";

/** A pause after which the same person's next message stands apart. */
const PAUSE_MS = 10 * 60_000;

interface RunPlace {
  /** Whether it is the first of what one person said in a row, and whether the last. */
  starts: boolean;
  ends: boolean;
  /** The day, above its first message. */
  day: string | null;
}

/** For each message, in their order. */
export function placesOf(turns: readonly ChatTurn[]): RunPlace[] {
  const starts = turns.map((turn, at) => at === 0 || !together(turns[at - 1]!, turn));
  return turns.map((turn, at) => ({
    starts: starts[at]!,
    ends: starts[at + 1] ?? true,
    day: at > 0 && dayOf(turns[at - 1]!) === dayOf(turn) ? null : dayOf(turn),
  }));
}

const dayOf = ({ timestamp }: ChatTurn): string | null => (timestamp === "" ? null : formatDay(timestamp));

function together(before: ChatTurn, turn: ChatTurn): boolean {
  return (
    before.role === turn.role &&
    before.author === turn.author &&
    dayOf(before) === dayOf(turn) &&
    !(Date.parse(turn.timestamp) - Date.parse(before.timestamp) > PAUSE_MS)
  );
}
