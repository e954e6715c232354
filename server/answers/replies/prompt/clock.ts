import { formatDate } from "#server/platform/text/date-format.ts";
import type { ReplyRequest } from "../reply-request.ts";

type Now = NonNullable<ReplyRequest["now"]>;
/** Formats the current day: «понедельник, 23 ноября 2026 г.». */
export const dayIn = ({ at, timeZone }: Now): string => formatDate(at, "full", timeZone ?? "");
/** Formats the current time of day: «14:05». */
export const timeIn = ({ at, timeZone }: Now): string => formatDate(at, "time", timeZone ?? "");
