/** Connects calendars of a twin's owner over CalDAV. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type * as z from "zod/mini";
import type { NewCalendarAccount } from "#contract/actions/calendars.ts";
import { CONNECTIONS_LIMIT, type ToolConnection } from "#contract/actions/tool-connections.ts";
import { getChangeableTwin } from "#server/accounts/twins/twins.ts";
import { CalendarTrouble } from "#server/answers/calendar/calendar-trouble.ts";
import { listCalendars } from "#server/answers/calendar/calendars.ts";
import { type CalendarSecrets, type ConnectionRow, sealConnection } from "#server/answers/tools/connection-secrets.ts";
import { faultyField, requirePublicAddress } from "#server/answers/tools/refused-input.ts";
import { openProxy, sealProxy } from "#server/answers/tools/stored-proxy.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { toolConnections } from "#server/platform/db/schema/tools.ts";
import { conflict, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { enteredProxy } from "#server/platform/network/entered-proxy.ts";
import { recordConnection, toConnection } from "./connections.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** @throws Problem 404, 403, 400; 409 when the twin has too many; 422 where there are no calendars */
export async function openCalendarAccount(
  deps: ToolDeps,
  caller: Caller,
  { twinId, url: entered, login, password, proxy: enteredNow }: z.output<typeof NewCalendarAccount>,
): Promise<ToolConnection> {
  const loopback = deps.config.loopbackAddresses;
  const url = requirePublicAddress(/^https?:\/\//i.test(entered) ? entered : `https://${entered}`, loopback).href;
  const { host } = new URL(url);
  const title = `${login}, ${host}`;
  // The same account again has a new password, and keeps its tools.
  const known = (tx: Tx) => tx.select().from(toolConnections).where(eq(toolConnections.twinId, twinId));
  const sameIn = (rows: readonly ConnectionRow[]) =>
    rows.find((one) => one.kind === "caldav" && one.url === url && one.title === title);
  const former = await asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    return sameIn(await known(tx));
  });
  const isKept = former !== undefined && enteredNow === undefined;
  const proxy = isKept ? openProxy(deps.vault, "tool_connections", former) : await enteredProxy(caller, enteredNow);
  const { signal } = new AbortController();
  const found = await listCalendars({ url, login, password }, { loopback, proxy, signal }).catch((error: unknown) => {
    if (!(error instanceof CalendarTrouble)) throw error;
    const field = faultyField(error, error.kind === "auth" ? "password" : "url");
    throw unprocessable("calendar_unreachable", error.message, { fields: { [field]: error.message }, cause: error });
  });
  return asTenant(deps.db, caller, async (tx) => {
    await getChangeableTwin(tx, caller, twinId);
    const rows = await known(tx);
    const before = sameIn(rows);
    const listing = {
      server: host,
      offers: found.map(({ url: name, title: of }) => ({ ...NO_ACTION, name, title: of })),
    };
    const secrets: CalendarSecrets = { login, password };
    if (before !== undefined) {
      const place = { id: before.id, orgId: caller.organizationId };
      const fresh = {
        secrets: sealConnection(deps.vault, place, secrets),
        proxy: sealProxy(deps.vault, "tool_connections", place, proxy),
        listing,
        failure: null,
        checkedAt: new Date(),
      };
      const [row] = await tx.update(toolConnections).set(fresh).where(eq(toolConnections.id, before.id)).returning();
      await recordConnection(tx, caller, "tool-connected", row!);
      return toConnection(deps, tx, row!);
    }
    if (rows.length >= CONNECTIONS_LIMIT)
      throw conflict("too_many_tool_connections", `Не больше ${CONNECTIONS_LIMIT} подключений у двойника`);
    const place = { id: randomUUID(), orgId: caller.organizationId };
    const [row] = await tx
      .insert(toolConnections)
      .values({
        ...{ ...place, twinId, kind: "caldav", title, url, listing, auth: { kind: "header" } },
        secrets: sealConnection(deps.vault, place, secrets),
        proxy: sealProxy(deps.vault, "tool_connections", place, proxy),
        checkedAt: new Date(),
      })
      .returning();
    await recordConnection(tx, caller, "tool-connected", row!);
    return toConnection(deps, tx, row!);
  });
}

/** What an offer has besides, where it is a calendar. */
const NO_ACTION = {
  ...{ description: "", fields: [], leftOut: [], readOnly: false, refusal: null, mark: "", sent: {} },
};
