/** Tools that read and book the calendar of a local server. */
import { expect } from "vitest";
import type { CalendarConnection } from "#contract/actions/tool-connections.ts";
import type { ToolInput } from "#contract/actions/tools.ts";
import type { TestClient } from "../test-app.ts";

type Settings = Extract<ToolInput["settings"], { kind: "calendar" }>;

export async function connectCalendar(
  client: TestClient,
  twinId: string,
  { origin: url, login, password }: { origin: string; login: string; password: string },
): Promise<CalendarConnection> {
  const opened = await client.post("/api/tool-connections/calendars", { twinId, url, login, password });
  expect(opened.statusCode, opened.body).toBe(201);
  return opened.json();
}

export const calendarTool = (
  { id, calendars }: CalendarConnection,
  does: Settings["does"],
  more: Partial<Settings> = {},
): ToolInput => ({
  ...{ title: does === "free" ? "Свободное время" : "Запись", description: "", enabled: true },
  ...{ degree: does === "free" ? "itself" : "asks", changes: does === "book" },
  ...{ proof: { everybody: true, channelPhone: null, asked: [] }, examples: ["когда можно прийти?"] },
  settings: {
    ...{ kind: "calendar", connectionId: id, calendarUrl: calendars[0]!.url, does },
    ...{ days: [1, 2, 3, 4, 5, 6, 7], from: "10:00", to: "13:00", slotMinutes: 60, daysAhead: 14, noticeMinutes: 0 },
    timeZone: "Europe/Moscow",
    ...more,
  },
});

/** «2026-12-02» of the day after so many, in Moscow. */
export const dayAfter = (days: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Moscow" }).format(new Date(Date.now() + days * 86_400_000));

/** Of one event of that day, in Moscow's wall time. */
export const eventOn = (date: string, from: string, to: string, more = ""): string => {
  const at = (time: string) => `${date.replaceAll("-", "")}T${time.replace(":", "")}00`;
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\nBEGIN:VEVENT\r\nUID:${date}-${from}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Europe/Moscow:${at(from)}\r\nDTEND;TZID=Europe/Moscow:${at(to)}\r\n${more}END:VEVENT\r\nEND:VCALENDAR\r\n`;
};
