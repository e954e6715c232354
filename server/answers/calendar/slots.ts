/** Free slots: the working hours of some days, in their zone, without what takes time. */
import { localClock } from "#server/knowledge/messages/wall-clock-time.ts";

export interface SlotRules {
  /** 1 is Monday. */
  days: readonly number[];
  /** «09:00». */
  from: string;
  to: string;
  slotMinutes: number;
  /** Days that may be booked, today among them. */
  daysAhead: number;
  /** Minutes that must lie between now and a slot. */
  noticeMinutes: number;
  /** IANA name. */
  timeZone: string;
}

export interface Slot {
  start: Date;
  end: Date;
  /** «15:00» in the zone. */
  time: string;
}

export interface DaySlots {
  /** «2026-12-01». */
  date: string;
  slots: Slot[];
}

export type Busy = readonly [number, number];

const MINUTE_MS = 60_000;

/** @returns the slots of a day, free or not, those that have passed left out; empty on a day off */
export function slotsOf(
  date: string,
  { days, from, to, slotMinutes, noticeMinutes, timeZone }: SlotRules,
  now: Date,
): Slot[] {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
  if (!days.includes(weekday)) return [];
  const clock = localClock(timeZone);
  const at = (minutes: number) =>
    clock({ year, month, day, hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0 });
  const timeOf = new Intl.DateTimeFormat("ru-RU", { timeZone, hour: "2-digit", minute: "2-digit" });
  const close = at(minutesOf(to));
  const earliest = now.getTime() + noticeMinutes * MINUTE_MS;
  const slots: Slot[] = [];
  for (let minutes = minutesOf(from); minutes + slotMinutes <= minutesOf(to); minutes += slotMinutes) {
    const start = at(minutes);
    // A time that the change of clocks skips does not exist, and what follows it is shorter.
    if (start === null || close === null || timeOf.format(start) !== textOf(minutes)) continue;
    const end = new Date(start.getTime() + slotMinutes * MINUTE_MS);
    if (end <= close && start.getTime() >= earliest) slots.push({ start, end, time: textOf(minutes) });
  }
  return slots;
}

export const freeOf = (slots: readonly Slot[], busy: readonly Busy[]): Slot[] =>
  slots.filter(({ start, end }) => !busy.some(([from, to]) => from < end.getTime() && to > start.getTime()));

/** The days that may be booked, in the zone, the first of them today. */
export function bookableDays({ daysAhead, timeZone }: SlotRules, now: Date): string[] {
  const today = Date.parse(new Intl.DateTimeFormat("en-CA", { timeZone }).format(now));
  return Array.from({ length: daysAhead }, (_, at) => new Date(today + at * 86_400_000).toISOString().slice(0, 10));
}

/** The instants at which these days begin and end. */
export function spanOf(dates: readonly string[], timeZone: string): { from: Date; to: Date } {
  const clock = localClock(timeZone);
  const midnight = (date: string, plus: number): Date => {
    const moved = new Date(Date.parse(date) + plus * 86_400_000);
    const [year, month, day] = [moved.getUTCFullYear(), moved.getUTCMonth() + 1, moved.getUTCDate()];
    return clock({ year, month, day, hour: 0, minute: 0, second: 0 }) ?? moved;
  };
  return { from: midnight(dates[0]!, 0), to: midnight(dates.at(-1)!, 1) };
}

const minutesOf = (time: string): number => {
  const [hours, minutes] = time.split(":").map(Number) as [number, number];
  return hours * 60 + minutes;
};
const textOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** «вторник, 1 декабря». */
export const dayText = (date: string): string =>
  new Intl.DateTimeFormat("ru-RU", { timeZone: "UTC", weekday: "long", day: "numeric", month: "long" }).format(
    new Date(`${date}T00:00:00Z`),
  );
