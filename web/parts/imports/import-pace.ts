/** How fast an import goes, and what that means for the person who waits for it. */
import { plural } from "#web/i18n/plural.ts";

export interface Seen {
  /** Milliseconds. */
  at: number;
  count: number;
}

/** A minute: beside other work an import goes in fits and starts, and the time left should not. */
const WINDOW_MS = 60_000;

/** Adds an observation of `count` and drops those that no longer tell how fast it goes now. */
export function noteCount(seen: readonly Seen[], now: Seen): Seen[] {
  if (seen.at(-1)?.count === now.count) return [...seen];
  return [...seen.filter(({ at }) => now.at - at < WINDOW_MS), now];
}

/** Growth a second; 0 until it is known. */
export function paceOf(seen: readonly Seen[]): number {
  const [first] = seen;
  const last = seen.at(-1);
  return first && last && last.at > first.at ? ((last.count - first.count) / (last.at - first.at)) * 1000 : 0;
}

/** @param left messages that are still to be stored @param pace messages a second, not 0 */
export function timeLeft(left: number, pace: number): string {
  if (left <= 0) return "сообщения сохранены, разбираем вопросы и ответы";
  const minutes = Math.ceil(left / pace / 60);
  if (minutes <= 1) return "осталось меньше минуты";
  if (minutes < 90) return `осталось около ${plural(minutes, ["минуты", "минут", "минут"])}`;
  return `осталось около ${plural(Math.round(minutes / 60), ["часа", "часов", "часов"])}`;
}
