/** Groups consecutive messages of one author: the name is shown once above them, the time once below. */
import { formatDay } from "#web/i18n/when.ts";
import type { ChatTurn } from "./chat.ts";

/** Pause after which the same author's next message starts a new group. */
const PAUSE_MS = 10 * 60_000;

interface RunPlace {
  /** Whether the message is the first and the last of its group. */
  starts: boolean;
  ends: boolean;
  /** The date, on the day's first message; otherwise null. */
  day: string | null;
}

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
