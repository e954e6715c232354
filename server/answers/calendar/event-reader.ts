/** Reads when the events of a calendar take time. Runs in a thread of its own: an invitation of a stranger may stand in a calendar. */
import ICAL from "ical.js";
import { localClock } from "#server/knowledge/messages/wall-clock-time.ts";

export interface EventsTask {
  /** iCalendar texts. */
  texts: readonly string[];
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** Zone of times that name none. */
  timeZone: string;
}

/** Begins and ends of what takes time, by begin; they may overlap. `refusal`: a Russian sentence. */
export type BusyAnswer = { busy: [number, number][] } | { refusal: string };

/** Repetitions that are counted: of one event (a daily one of 27 years), and of all. */
const MAX_REPEATS = 10_000;
const MAX_ALL_REPEATS = 100_000;
const MAX_EVENTS = 5000;

class TooMany extends Error {}

export default function readBusyTimes({ texts, from, to, timeZone }: EventsTask): BusyAnswer {
  const reading = new Reading(from, to, timeZone);
  try {
    for (const text of texts) reading.add(text);
  } catch (error) {
    if (error instanceof TooMany || error instanceof RangeError)
      return { refusal: "В календаре слишком много событий или повторов, чтобы найти свободное время" };
    throw error;
  }
  return { busy: reading.busy.sort(([one], [other]) => one - other) };
}

class Reading {
  readonly busy: [number, number][] = [];
  readonly #from: number;
  readonly #to: number;
  readonly #timeZone: string;
  readonly #clocks = new Map<string, ReturnType<typeof localClock> | null>();
  #repeats = 0;
  #events = 0;

  constructor(from: number, to: number, timeZone: string) {
    this.#from = from;
    this.#to = to;
    this.#timeZone = timeZone;
  }

  add(text: string): void {
    let root: ICAL.Component;
    try {
      root = new ICAL.Component(ICAL.parse(text));
    } catch (error) {
      if (error instanceof RangeError) throw error;
      // What is no calendar takes no time.
      return;
    }
    const events = root.getAllSubcomponents("vevent");
    this.#events += events.length;
    if (this.#events > MAX_EVENTS) throw new TooMany();
    for (const component of events) this.#addEvent(component, events);
  }

  #addEvent(component: ICAL.Component, all: readonly ICAL.Component[]): void {
    if (component.getFirstPropertyValue("dtstart") === null || !takesTime(component)) return;
    const event = new ICAL.Event(component);
    const zone = String(component.getFirstProperty("dtstart")?.getFirstParameter("tzid") ?? "");
    const take = (start: ICAL.Time, end: ICAL.Time) => this.#take(this.#ms(start, zone), this.#ms(end, zone));
    if (!event.isRecurring()) {
      take(event.startDate, event.endDate);
      return;
    }
    // A repetition that was moved, or cancelled, stands as an event of its own.
    const changed = new Set(
      all
        .filter((other) => other !== component && other.getFirstPropertyValue("uid") === event.uid)
        .flatMap((other) => {
          const moved = other.getFirstPropertyValue("recurrence-id");
          return moved instanceof ICAL.Time ? [this.#ms(moved, zone)] : [];
        }),
    );
    const length = event.duration;
    const repeats = event.iterator();
    for (let count = 0; ; count++) {
      const start = repeats.next();
      if (start === null || start === undefined) return;
      this.#repeats++;
      if (count > MAX_REPEATS || this.#repeats > MAX_ALL_REPEATS) throw new TooMany();
      const at = this.#ms(start, zone);
      if (at >= this.#to) return;
      if (changed.has(at)) continue;
      const end = start.clone();
      end.addDuration(length);
      take(start, end);
    }
  }

  #take(start: number, end: number): void {
    const until = Math.max(end, start);
    if (until > this.#from && start < this.#to && until > start) this.busy.push([start, until]);
  }

  /** @param zone the name beside the time, where the text itself does not describe that zone */
  #ms(time: ICAL.Time, zone: string): number {
    const isKnown = !time.isDate && time.zone !== null && time.zone !== ICAL.Timezone.localTimezone;
    if (isKnown) return time.toUnixTime() * 1000;
    const { year, month, day, hour, minute, second } = time;
    const wall = { year, month, day, ...(time.isDate ? { hour: 0, minute: 0, second: 0 } : { hour, minute, second }) };
    const clock = (zone === "" ? null : this.#clockOf(zone)) ?? this.#clockOf(this.#timeZone);
    return (clock?.(wall) ?? new Date(Date.UTC(year, month - 1, day, hour, minute, second))).getTime();
  }

  #clockOf(zone: string): ReturnType<typeof localClock> | null {
    let clock = this.#clocks.get(zone);
    if (clock === undefined) {
      try {
        clock = localClock(zone);
      } catch {
        clock = null;
      }
      if (this.#clocks.size < 100) this.#clocks.set(zone, clock);
    }
    return clock;
  }
}

function takesTime(component: ICAL.Component): boolean {
  const [status, transparency] = ["status", "transp"].map((name) =>
    String(component.getFirstPropertyValue(name) ?? "").toUpperCase(),
  );
  return status !== "CANCELLED" && transparency !== "TRANSPARENT";
}
