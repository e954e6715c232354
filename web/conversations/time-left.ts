import { useEffect, useState } from "react";
import { formatRecent, formatTime } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";

const MINUTE = 60_000;
/** A takeover whose end is further away than this lasts until it is ended. */
const INDEFINITE_FROM_DAYS = 60;

/** Returns «ещё 28 минут» or «до завтра, 09:00», counting down; null once the twin answers again. */
export function useTimeLeft(until: string | undefined): string | null {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 4);
    return () => clearInterval(timer);
  }, [until]);
  if (until === undefined) return null;
  const left = Date.parse(until) - now;
  if (left <= 0) return null;
  if (left > INDEFINITE_FROM_DAYS * 24 * 60 * MINUTE) return "пока не\u00a0вернёте";
  const minutes = Math.ceil(left / MINUTE);
  if (minutes <= 120) return `ещё ${plural(minutes, ["минуту", "минуты", "минут"])}`;
  return untilWords(new Date(until));
}

function untilWords(end: Date): string {
  const day = new Date();
  if (end.toDateString() === day.toDateString()) return `до\u00a0${formatTime(end)}`;
  day.setDate(day.getDate() + 1);
  if (end.toDateString() === day.toDateString()) return `до\u00a0завтра, ${formatTime(end)}`;
  return `до\u00a0${formatRecent(end)}`;
}
