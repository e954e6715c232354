/** Connects calendars of a twin's owner over CalDAV. */
import { randomUUID } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import type * as z from "zod/mini";
import type { CalendarAccount, NewCalendarAccount } from "#contract/actions/calendars.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { CalendarTrouble } from "#server/answers/calendar/calendar-trouble.ts";
import { listCalendars } from "#server/answers/calendar/calendars.ts";
import { type ConnectionRow, sealConnection } from "#server/answers/tools/connection-secrets.ts";
import type { CalendarSecrets } from "#server/answers/tools/kinds/calendar.ts";
import { requirePublicAddress } from "#server/answers/tools/refused-input.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { toolConnections } from "#server/platform/db/schema/tools.ts";
import { conflict, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { ToolDeps } from "./tool-deps.ts";

const MOST_ACCOUNTS = 5;

/** @throws Problem 404, 403 */
export function listCalendarAccounts(
  db: Database,
  caller: Caller,
  { twinId }: { twinId: string },
): Promise<CalendarAccount[]> {
  return asTenant(db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const rows = await tx
      .select()
      .from(toolConnections)
      .where(and(eq(toolConnections.twinId, twinId), eq(toolConnections.kind, "caldav")))
      .orderBy(asc(toolConnections.createdAt));
    return rows.map(toJson);
  });
}

/** @throws Problem 404, 403, 400; 409 when the twin has too many; 422 where there are no calendars */
export async function openCalendarAccount(
  deps: ToolDeps,
  caller: Caller,
  { twinId, url: entered, login, password }: z.output<typeof NewCalendarAccount>,
): Promise<CalendarAccount> {
  await asTenant(deps.db, caller, (tx) => getChangeableTwin(tx, caller, twinId));
  const loopback = deps.config.loopbackAddresses;
  const url = requirePublicAddress(/^https?:\/\//i.test(entered) ? entered : `https://${entered}`, loopback).href;
  const { signal } = new AbortController();
  const found = await listCalendars({ url, login, password }, { loopback, signal }).catch((error: unknown) => {
    if (!(error instanceof CalendarTrouble)) throw error;
    const field = error.kind === "auth" ? "password" : "url";
    throw unprocessable("calendar_unreachable", error.message, { fields: { [field]: error.message }, cause: error });
  });
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const known = await tx
      .select({ id: toolConnections.id })
      .from(toolConnections)
      .where(and(eq(toolConnections.twinId, twinId), eq(toolConnections.kind, "caldav")));
    if (known.length >= MOST_ACCOUNTS)
      throw conflict("too_many_calendars", `Не больше ${MOST_ACCOUNTS} подключённых календарей у двойника`);
    const place = { id: randomUUID(), orgId: caller.organizationId };
    const secrets: CalendarSecrets = { login, password };
    const [row] = await tx
      .insert(toolConnections)
      .values({
        ...{ ...place, twinId, kind: "caldav", title: new URL(url).host, url, auth: { kind: "password", login } },
        secrets: sealConnection(deps.vault, place, secrets),
        listing: {
          server: new URL(url).host,
          offers: found.map(({ url: name, title }) => ({ name, title, description: "" })),
        },
        checkedAt: new Date(),
      })
      .returning();
    return toJson(row!);
  });
}

const toJson = ({ id, url, auth, listing }: ConnectionRow): CalendarAccount => ({
  ...{ id, host: new URL(url).host, login: String(auth.login ?? "") },
  calendars: (listing?.offers ?? []).map(({ name, title }) => ({ url: name, title })),
});
