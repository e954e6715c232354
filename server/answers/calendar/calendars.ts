/** What a twin does in a calendar over CalDAV: finds the calendars of an account, reads their events of some days, and writes one. */
import { calendarQuery, createAccount, createCalendarObject, fetchCalendars } from "tsdav";
import { CalendarTrouble } from "./calendar-trouble.ts";
import { type CalendarAccount, type DavRules, davFetch } from "./dav-fetch.ts";

export interface FoundCalendar {
  url: string;
  title: string;
}

const MAX_CALENDARS = 50;

/** @returns the calendars that may hold events. @throws CalendarTrouble */
export async function listCalendars(account: CalendarAccount, rules: DavRules): Promise<FoundCalendar[]> {
  const fetch = watched(davFetch(account, rules));
  try {
    const found = await createAccount({
      account: { serverUrl: account.url, accountType: "caldav" },
      loadCollections: false,
      loadObjects: false,
      fetch: fetch.fetch,
    });
    const calendars = await fetchCalendars({ account: found, fetch: fetch.fetch });
    const events = calendars.filter(({ components = [] }) => components.length === 0 || components.includes("VEVENT"));
    if (events.length === 0) throw new CalendarTrouble("refused", "На этом сервере нет календарей");
    return events.slice(0, MAX_CALENDARS).map(({ url, displayName }) => ({ url, title: titleOf(displayName, url) }));
  } catch (error) {
    throw fetch.troubleOf(error);
  }
}

/** Reads the events that touch the days, each as an iCalendar text. @throws CalendarTrouble */
export async function eventsBetween(
  account: CalendarAccount,
  url: string,
  { from, to }: { from: Date; to: Date },
  rules: DavRules,
): Promise<string[]> {
  const fetch = watched(davFetch(account, rules));
  const range = { _attributes: { start: stampOf(from), end: stampOf(to) } };
  const filter = { _attributes: { name: "VEVENT" }, "time-range": range };
  try {
    const answers = await calendarQuery({
      url,
      props: { "d:getetag": {}, "c:calendar-data": {} },
      filters: { "comp-filter": { _attributes: { name: "VCALENDAR" }, "comp-filter": filter } },
      depth: "1",
      fetch: fetch.fetch,
    });
    // What is no list of events must not be taken for an empty calendar.
    const texts = answers.map(({ props }) => textOf(props?.calendarData));
    if (fetch.lastStatus() !== 207 || texts.includes(null))
      throw new CalendarTrouble("refused", "Сервер не отдаёт события календаря");
    return texts.flatMap((text) => text ?? []);
  } catch (error) {
    throw fetch.troubleOf(error);
  }
}

/**
 * Writes one event under a name of its own, once: the server refuses a second one of this name, so a repeated call changes nothing.
 * @returns unknown: nobody knows whether it was written
 * @throws CalendarTrouble where it was surely not
 */
export async function writeEvent(
  account: CalendarAccount,
  url: string,
  { name, text }: { name: string; text: string },
  rules: DavRules,
): Promise<"written" | "unknown"> {
  const fetch = davFetch(account, rules);
  const put = async (): Promise<number | null> => {
    try {
      return (await createCalendarObject({ calendar: { url }, iCalString: text, filename: `${name}.ics`, fetch }))
        .status;
    } catch (error) {
      if (error instanceof CalendarTrouble && error.kind === "away") return null;
      throw error;
    }
  };
  let status = await put();
  // The first try may have written it, however the second one fails.
  if ((status === null || status >= 500) && !rules.signal.aborted) status = await put().catch(() => null);
  if (status === null || status >= 500) return "unknown";
  // 412: one of this name is there, written by a call whose answer was lost.
  if ((status >= 200 && status < 300) || status === 412) return "written";
  if (status === 401 || status === 403) throw new CalendarTrouble("auth", "Календарь не разрешает записывать");
  throw new CalendarTrouble("refused", `Календарь отказал: ответ ${status}`);
}

/** The client turns each refusal into an error of its own, so what the server has answered is remembered here. */
function watched(fetch: typeof globalThis.fetch) {
  let status = 0;
  let trouble: CalendarTrouble | null = null;
  const watching: typeof globalThis.fetch = async (...asked) => {
    try {
      const answer = await fetch(...asked);
      status = answer.status;
      return answer;
    } catch (error) {
      if (error instanceof CalendarTrouble) trouble = error;
      throw error;
    }
  };
  return {
    fetch: watching,
    lastStatus: () => status,
    troubleOf(error: unknown): CalendarTrouble {
      if (error instanceof CalendarTrouble) return error;
      if (status === 401 || status === 403)
        return new CalendarTrouble("auth", "Сервер календаря не принимает логин или пароль приложения", {
          cause: error,
        });
      return trouble ?? new CalendarTrouble("refused", "По этому адресу нет календарей CalDAV", { cause: error });
    },
  };
}

/** «20261201T090000Z». */
export const stampOf = (at: Date): string => at.toISOString().replace(/[-:]|\.\d{3}/g, "");

function titleOf(said: unknown, url: string): string {
  const text = typeof said === "string" || typeof said === "number" ? String(said) : "";
  return (
    text
      .replace(/[\p{Cc}\p{Cf}]/gu, "")
      .trim()
      .slice(0, 80) || (new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "Календарь").slice(0, 80)
  );
}

/** A text in an XML answer, plain or as CDATA. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  const inner = (value as { _cdata?: unknown } | undefined)?._cdata;
  return typeof inner === "string" ? inner : null;
}
