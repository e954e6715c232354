/** Computes the times until which a conversation may be snoozed, by the clock of a time zone. */
import type { SnoozeTimes } from "#contract/conversations/acts.ts";
import { localClock, parseStamp } from "#server/knowledge/messages/wall-clock-time.ts";

/** Hour of the day at which a working day begins. */
const MORNING = 9;
/** Latest hour of the day that «later today» may mean, because after it comes the night. */
const LATEST = 22;
/** Hours from now until «later today», which is a full hour. */
const HOURS_LATER = 3;
const DAY_MS = 86_400_000;

/** Returns the times, soonest first, without duplicates. */
export function timesIn(timeZone: string, now: Date): SnoozeTimes["times"] {
  const [today, clock] = wallClock(timeZone, now);
  const [hour, minute] = clock.split(":").map(Number) as [number, number];
  const later = hour + HOURS_LATER + (minute > 0 ? 1 : 0);
  const inDays = (days: number) => new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);
  // Sunday is 0: the next Monday is one to seven days away.
  const toMonday = (8 - new Date(today).getUTCDay()) % 7 || 7;
  const wanted = [
    ...(later <= LATEST ? [{ name: "later" as const, stamp: `${today}T${later}:00` }] : []),
    { name: "tomorrow" as const, stamp: `${inDays(1)}T${MORNING}:00` },
    ...(toMonday > 1 ? [{ name: "next-week" as const, stamp: `${inDays(toMonday)}T${MORNING}:00` }] : []),
  ];
  return wanted.map(({ name, stamp }) => ({ name, at: instantOf(stamp, timeZone)!.toISOString() }));
}

/** Parses «2026-11-25T09:00» by the clock of the zone; null for a time that does not exist. */
export const instantOf = (local: string, timeZone: string): Date | null =>
  localClock(timeZone)(parseStamp(`${local}:0`));

function wallClock(timeZone: string, now: Date): [date: string, time: string] {
  const written = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(now);
  return written.split(" ") as [string, string];
}
