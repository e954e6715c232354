/** Free slots of a calendar, and a booking of one of them, over CalDAV. */
import { eq } from "drizzle-orm";
import { busyTimes } from "#server/answers/calendar/busy-times.ts";
import { CalendarTrouble } from "#server/answers/calendar/calendar-trouble.ts";
import { eventsBetween, writeEvent } from "#server/answers/calendar/calendars.ts";
import type { CalendarAccount, DavRules } from "#server/answers/calendar/dav-fetch.ts";
import { eventText } from "#server/answers/calendar/new-event.ts";
import { bookableDays, dayText, freeOf, type Slot, slotsOf, spanOf } from "#server/answers/calendar/slots.ts";
import { asTenant, type Tenant } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { type ActArgument, acts, type SettingsOfKind, toolConnections } from "#server/platform/db/schema/tools.ts";
import { notFound } from "#server/platform/errors.ts";
import { type CalendarSecrets, openConnection } from "../connection-secrets.ts";
import { connectionOf } from "../connections.ts";
import { bounded } from "../json-result.ts";
import { openProxy } from "../stored-proxy.ts";
import type { CallDeps, CallOrder, CallOutcomeOf, ToolKind } from "../tool-kind.ts";

type Settings = SettingsOfKind["calendar"];
type Field = ReturnType<ToolKind<"calendar">["fieldsOf"]>[number];

const field = (name: string, label: string, type: Field["type"], required: boolean): Field => ({
  ...{ name, label, type, required, description: "", choices: [] },
});
const FREE_FIELDS = [field("date", "День", "date", false)];
const BOOKING_FIELDS = [
  field("date", "День", "date", true),
  field("time", "Время", "time", true),
  field("name", "Имя", "text", false),
  field("wish", "Что нужно", "text", false),
];

/** Days and times of a day in one result. */
const SHOWN_DAYS = 5;
const SHOWN_TIMES = 16;
const NOTHING_SENT = { status: null, answer: "" };

export const calendarKind: ToolKind<"calendar"> = {
  fieldsOf: ({ does }) => (does === "free" ? FREE_FIELDS : BOOKING_FIELDS),
  targetOf: ({ does, host, calendar }) => `${does === "free" ? "REPORT" : "PUT"} ${host} «${calendar}»`.slice(0, 200),
  requireSound: () => {},

  async store(tx, { twinId }, input) {
    const row = await connectionOf(tx, input.connectionId);
    const isOwn = row !== null && row.twinId === twinId && row.kind === "caldav";
    // Addresses are those that the server itself has listed, so that the password goes nowhere else.
    const found = isOwn ? row.listing?.offers.find(({ name }) => name === input.calendarUrl) : undefined;
    if (row === null || found === undefined)
      throw notFound("Календарь не найден: подключите его снова", "calendar_not_found");
    return { ...input, days: [...new Set(input.days)].sort(), host: new URL(row.url).host, calendar: found.title };
  },

  secretsOf: () => ({}),
  bind: async () => {},
  show: (settings) => settings,
  connectionOf: ({ connectionId }) => connectionId,

  preview: ({ does, calendarUrl }, values) => ({
    method: does === "free" ? "REPORT" : "PUT",
    url: calendarUrl,
    body: does === "free" ? null : values.map(({ label, value }) => `${label}: ${value}`).join("\n"),
  }),

  async call(deps, tenant, { id, settings, title }, order) {
    try {
      const found = await accountOf(deps, tenant, settings);
      if (found === null) return failed("Календарь отключён");
      const { account, proxy } = found;
      const rules = { loopback: deps.config.loopbackAddresses, proxy, signal: order.signal };
      if (settings.does === "free") return await tellFree(tenant, settings, { account, rules, order });
      return await inTurn(settings.calendarUrl, () =>
        book(deps, tenant, settings, { account, rules, order, title, id }),
      );
    } catch (error) {
      if (!(error instanceof CalendarTrouble)) throw error;
      // A password that is no longer accepted is a state of the connection, which its owner must see.
      if (error.kind === "auth")
        await asTenant(deps.db, tenant, (tx) =>
          tx
            .update(toolConnections)
            .set({ failure: error.message })
            .where(eq(toolConnections.id, settings.connectionId)),
        );
      return failed(error.message);
    }
  },
};

const failed = (reason: string): CallOutcomeOf => ({ kind: "failed", reason, ...NOTHING_SENT });
const done = (lines: { label: string; value: string }[]): CallOutcomeOf => ({
  ...{ kind: "done", result: bounded(lines), read: () => null, ...NOTHING_SENT },
});
const valueNamed = (values: readonly ActArgument[], name: string): string | undefined =>
  values.find((one) => one.name === name)?.value;

async function accountOf(
  { db, vault }: CallDeps,
  tenant: Tenant,
  { connectionId }: Settings,
): Promise<{ account: CalendarAccount; proxy: DavRules["proxy"] } | null> {
  const row = await asTenant(db, tenant, (tx) => connectionOf(tx, connectionId));
  const secrets = row === null ? null : openConnection<CalendarSecrets>(vault, row);
  if (row === null || secrets === null) return null;
  return { account: { url: row.url, ...secrets }, proxy: openProxy(vault, "tool_connections", row) };
}

interface Visit {
  account: CalendarAccount;
  rules: DavRules;
  order: CallOrder;
}

/** The free slots of these days, in their order. */
async function freeIn(
  { organizationId }: Tenant,
  settings: Settings,
  dates: readonly string[],
  { account, rules }: Pick<Visit, "account" | "rules">,
  now: Date,
): Promise<{ date: string; slots: Slot[] }[]> {
  const days = dates.map((date) => ({ date, slots: slotsOf(date, settings, now) }));
  if (days.every(({ slots }) => slots.length === 0)) return days;
  const { calendarUrl, timeZone } = settings;
  const span = spanOf(dates, timeZone);
  const texts = await eventsBetween(account, calendarUrl, span, rules);
  const busy = await busyTimes(organizationId, {
    ...{ texts, from: span.from.getTime(), to: span.to.getTime(), timeZone },
  });
  return days.map(({ date, slots }) => ({ date, slots: freeOf(slots, busy) }));
}

async function tellFree(tenant: Tenant, settings: Settings, { order, ...visit }: Visit): Promise<CallOutcomeOf> {
  const now = new Date();
  const bookable = bookableDays(settings, now);
  const asked = valueNamed(order.values, "date");
  if (asked !== undefined && !bookable.includes(asked))
    return done([{ label: dayText(asked), value: `записи нет: записываем до ${dayText(bookable.at(-1)!)}` }]);
  const days = await freeIn(tenant, settings, asked === undefined ? bookable : [asked], visit, now);
  const free = days.filter(({ slots }) => slots.length > 0).slice(0, SHOWN_DAYS);
  if (free.length === 0)
    return done([{ label: asked === undefined ? "Свободное время" : dayText(asked), value: "свободного времени нет" }]);
  return done(
    free.map(({ date, slots }) => ({
      label: dayText(date),
      value: slots
        .slice(0, SHOWN_TIMES)
        .map(({ time }) => time)
        .join(", "),
    })),
  );
}

async function book(
  deps: CallDeps,
  tenant: Tenant,
  settings: Settings,
  { account, rules, order, title, id }: Visit & { title: string; id: string },
): Promise<CallOutcomeOf> {
  const { values, idempotencyKey } = order;
  const [date, time] = [valueNamed(values, "date") ?? "", valueNamed(values, "time") ?? ""];
  const now = new Date();
  if (!bookableDays(settings, now).includes(date)) return failed("На этот день записи нет");
  const offered = slotsOf(date, settings, now).find((slot) => slot.time === time);
  if (offered === undefined) return failed("На это время записи нет");
  const [{ slots } = { slots: [] as Slot[] }] = await freeIn(tenant, settings, [date], { account, rules }, now);
  if (!slots.some((slot) => slot.time === time)) return failed("Это время уже занято");
  const who = valueNamed(values, "name") ?? (await contactName(deps, tenant, idempotencyKey));
  const wish = valueNamed(values, "wish") ?? "";
  const name = idempotencyKey ?? id;
  const text = eventText({
    ...{ uid: `${name}@digital-twins`, start: offered.start, end: offered.end },
    title: [title, who].filter(Boolean).join(": "),
    about: wish,
  });
  const written = await writeEvent(account, settings.calendarUrl, { name, text }, rules);
  if (written === "unknown")
    return { kind: "unknown", reason: "Календарь не ответил: посмотрите, есть ли в нём запись", ...NOTHING_SENT };
  const until = new Intl.DateTimeFormat("ru-RU", {
    ...{ timeZone: settings.timeZone, hour: "2-digit", minute: "2-digit" },
  }).format(offered.end);
  return done([{ label: "Когда", value: `${dayText(date)}, ${time}–${until}` }]);
}

/** What the channel calls the contact whose act it is; "": a trial, or nobody knows. */
async function contactName({ db }: CallDeps, tenant: Tenant, actId: string | null): Promise<string> {
  if (actId === null) return "";
  const [row] = await asTenant(db, tenant, (tx) =>
    tx
      .select({ name: conversations.participantName })
      .from(acts)
      .innerJoin(conversations, eq(conversations.id, acts.conversationId))
      .where(eq(acts.id, actId)),
  );
  return row?.name ?? "";
}

const turns = new Map<string, Promise<unknown>>();

/** One booking of a calendar at a time: between the look at a slot and its event no other one of this process may come. */
async function inTurn<T>(calendar: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(calendar) ?? Promise.resolve();
  const mine = before.then(work, work);
  const settled = mine.catch(() => undefined);
  turns.set(calendar, settled);
  try {
    return await mine;
  } finally {
    if (turns.get(calendar) === settled) turns.delete(calendar);
  }
}
