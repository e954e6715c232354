// Wall-clock time from an export or a pasted chat, before conversion to an instant.

export interface WallClockTime {
  year: number;
  /** Month number, 1–12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/**
 * Returns a converter from wall-clock time in an IANA zone to the instant; null for a non-existent date (31.02., 25:00). A time skipped
 * by the clock change uses the offset before it; an ambiguous one is the earlier. Throws RangeError for an unknown zone. Offsets are
 * cached per day, so millions of calls are cheap.
 */
export function localClock(timeZone: string): (local: WallClockTime) => Date | null {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });

  const offsetAt = (instant: number): number => {
    const parts: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(instant)) parts[type] = value;
    const year = parts.era === "BC" ? 1 - Number(parts.year) : Number(parts.year);
    const wall = utc(
      year,
      Number(parts.month),
      Number(parts.day),
      Number(parts.hour),
      Number(parts.minute),
      Number(parts.second),
    );
    return wall - Math.floor(instant / 1000) * 1000;
  };

  const DAY = 86_400_000;
  /** Maps the start of a UTC day to the zone's offset if it is constant around that day, otherwise to null. */
  const steady = new Map<number, number | null>();
  const steadyOffset = (wall: number): number | null => {
    const day = Math.floor(wall / DAY) * DAY;
    let offset = steady.get(day);
    if (offset === undefined) {
      const before = offsetAt(day - DAY);
      offset = offsetAt(day + 2 * DAY) === before && offsetAt(day + DAY / 2) === before ? before : null;
      if (steady.size > 50_000) steady.clear();
      steady.set(day, offset);
    }
    return offset;
  };

  return ({ year, month, day, hour, minute, second }) => {
    if (!(hour < 24 && minute < 60 && second < 60) || year < 1900 || year > 9999) return null;
    const wall = utc(year, month, day, hour, minute, second);
    const check = new Date(wall);
    if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day) return null;
    const offset = steadyOffset(wall);
    if (offset !== null) return new Date(wall - offset);
    const before = offsetAt(wall - DAY);
    const after = offsetAt(wall + DAY);
    if (offsetAt(wall - before) === before) return new Date(wall - before);
    if (offsetAt(wall - after) === after) return new Date(wall - after);
    return new Date(wall - before);
  };
}

/** Parses «YYYY-MM-DDTHH:mm:ss», as returned by `timestampOf` (contract/conversations/pasted-lines.ts). */
export function parseStamp(stamp: string): WallClockTime {
  const [year, month, day, hour, minute, second] = stamp.split(/[-T:]/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { year, month, day, hour, minute, second };
}

/** Date.UTC without its rule that years 0–99 mean 1900–1999. */
function utc(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}
