import type { WorkingHours } from "#contract/integrations/working-hours.ts";
import { localClock } from "#server/knowledge/messages/wall-clock-time.ts";
import type { ClosedHours } from "./answer-policy.ts";

const DAY_MS = 86_400_000;

/** Returns since when it is closed at `now`; null while it is open. Slots are wall-clock times in their time zone. */
export function closedSince({ timeZone, slots }: WorkingHours, now: Date): Date | null {
  const instantOf = localClock(timeZone);
  const today = civilDay(timeZone, now);
  let closed = 0;
  // Searches the last week for the latest closing; a slot that began a day earlier may end after midnight.
  for (let ago = 0; ago <= 8; ago++) {
    const date = new Date(today - ago * DAY_MS);
    for (const { day, from, to } of slots) {
      if (day !== (date.getUTCDay() || 7)) continue;
      const opens = at(date, from);
      const closes = at(to > from ? date : new Date(date.getTime() + DAY_MS), to);
      if (opens <= now.getTime() && now.getTime() < closes) return null;
      if (closes <= now.getTime()) closed = Math.max(closed, closes);
    }
  }
  return new Date(closed);

  function at(date: Date, time: string): number {
    const [hour, minute] = time.split(":").map(Number) as [number, number];
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    return instantOf({ year, month, day, hour, minute, second: 0 })!.getTime();
  }
}

/** Returns null when it is open now, or always. */
export function closedNow(hours: WorkingHours | null): ClosedHours | null {
  const since = hours && closedSince(hours, new Date());
  return since && { since, outside: hours.outside };
}

/** Returns the calendar day in the zone, as midnight UTC of that date. */
function civilDay(timeZone: string, now: Date): number {
  return Date.parse(new Intl.DateTimeFormat("sv-SE", { timeZone }).format(now));
}
