import { memoize } from "#server/platform/text/memoize.ts";
import type { ReplyRequest } from "../reply-request.ts";

type Now = NonNullable<ReplyRequest["now"]>;
/** Formats the current day: «понедельник, 23 ноября 2026 г.». */
export const dayIn = ({ at, timeZone }: Now): string => clocksOf(timeZone ?? "").day.format(at);
/** Formats the current time of day: «14:05». */
export const timeIn = ({ at, timeZone }: Now): string => clocksOf(timeZone ?? "").time.format(at);

/** Memoised, because creating a formatter costs a hundred times as much as using it. */
const clocksOf = memoize(100, (timeZone) => {
  const zone = timeZone === "" ? {} : { timeZone };
  return {
    day: new Intl.DateTimeFormat("ru-RU", { ...zone, dateStyle: "full" }),
    time: new Intl.DateTimeFormat("ru-RU", { ...zone, timeStyle: "short" }),
  };
});
