/** A tool that reads free slots of a calendar, or books one of them. */
import * as z from "zod/mini";
import { Time, TimeZone } from "../integrations/working-hours.ts";

export const SLOT_MINUTES = [15, 20, 30, 45, 60, 90, 120, 180, 240] as const;

const count = (said: string, least: number, most: number) =>
  z.int(said).check(z.minimum(least, said), z.maximum(most, said));

export const CalendarSettings = {
  kind: z.literal("calendar"),
  connectionId: z.uuid("Подключите календарь"),
  /** One of the calendars of the connection. */
  calendarUrl: z.string("Выберите календарь").check(z.minLength(1, "Выберите календарь"), z.maxLength(1000)),
  /** free: reads what is free, for everybody. book: writes an event at a free slot. */
  does: z.enum(["free", "book"], "Выберите, что делает действие"),
  /** 1 is Monday. */
  days: z
    .array(count("Укажите рабочие дни", 1, 7))
    .check(z.minLength(1, "Выберите хотя бы один рабочий день"), z.maxLength(7, "Каждый день указывают один раз")),
  from: Time,
  to: Time,
  slotMinutes: count("Длительность от 5 минут до 8 часов", 5, 480),
  /** Days that may be booked, today among them. */
  daysAhead: count("От 1 до 60 дней", 1, 60),
  /** Minutes that must lie between the request and a slot. */
  noticeMinutes: count("От 0 до 7 дней", 0, 10_080),
  timeZone: TimeZone,
};

export const CalendarInput = z
  .object(CalendarSettings)
  .check(z.refine(({ from, to }) => from < to, { error: "Конец рабочего дня раньше начала", path: ["to"] }));

/** `host` and `calendar` are of the connection, which never changes. */
export const ShownCalendar = z.object({ ...CalendarSettings, host: z.string(), calendar: z.string() });
