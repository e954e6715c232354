/** The iCalendar text of a booking. */
import ICAL from "ical.js";

export interface NewEvent {
  /** Of the act, so that a repeated call writes the same event. */
  uid: string;
  start: Date;
  end: Date;
  title: string;
  about: string;
}

/** Times are in UTC, so that no reader needs a zone. */
export function eventText({ uid, start, end, title, about }: NewEvent): string {
  const root = new ICAL.Component("vcalendar");
  root.addPropertyWithValue("version", "2.0");
  root.addPropertyWithValue("prodid", "-//digital-twins//RU");
  const event = new ICAL.Component("vevent");
  const at = (date: Date) => ICAL.Time.fromJSDate(date, true);
  event.addPropertyWithValue("uid", uid);
  event.addPropertyWithValue("dtstamp", at(new Date()));
  event.addPropertyWithValue("dtstart", at(start));
  event.addPropertyWithValue("dtend", at(end));
  event.addPropertyWithValue("summary", title);
  if (about !== "") event.addPropertyWithValue("description", about);
  root.addSubcomponent(event);
  return `${root.toString()}\r\n`;
}
