/** Receives updates: by long polling if the server has no public address, else by a subscription to our address. */
import * as z from "zod/mini";
import type { Cursor, Receiving } from "#server/inbox/channel-protocol/channel.ts";
import type { MaxCall } from "./api.ts";
import { rethrowTrouble } from "./errors.ts";
import { nameOfUpdate, reportedOf, UPDATE_TYPES } from "./update.ts";

const POLL_SECONDS = 25;
const UPDATES_AT_ONCE = 100;
const CALL_MS = 10_000;

const Updates = z.object({ updates: z.array(z.unknown()), marker: z.optional(z.nullable(z.int())) });
const Subscriptions = z.object({ subscriptions: z._default(z.array(z.object({ url: z.string() })), []) });

/** The marker is the position after a whole batch; `done` names its updates that are already stored. */
interface Place {
  marker?: number;
  done?: string[];
}

const Marker = z.catch(z.optional(z.int()), undefined);
const Done = z.catch(z._default(z.array(z.string()), []), []);

/** Polls from the stored marker; requesting the next batch confirms all earlier updates to MAX. */
export async function poll(
  call: MaxCall,
  botId: string | null,
  { cursor, emit, attempt, connected, signal }: Receiving,
): Promise<void> {
  let marker = Marker.parse(cursor.marker);
  let done = Done.parse(cursor.done);
  let wait = 0;
  // MAX delivers nothing to polls while a subscription exists.
  await unsubscribe(call, signal, () => true);
  while (!signal.aborted) {
    const query = {
      limit: String(UPDATES_AT_ONCE),
      timeout: String(wait),
      types: UPDATE_TYPES.join(","),
      ...(marker === undefined ? {} : { marker: String(marker) }),
    };
    const within = AbortSignal.any([signal, AbortSignal.timeout(wait * 1000 + CALL_MS)]);
    const answer = await call("/updates", { query, signal: within }).catch((error: unknown) => {
      if (signal.aborted) return null;
      return rethrowTrouble(error);
    });
    if (answer === null || signal.aborted) return;
    const batch = Updates.parse(answer.body);
    await connected();
    const next = batch.marker ?? marker;
    for (const [place, update] of batch.updates.entries()) {
      if (signal.aborted) return;
      const name = nameOfUpdate(update);
      const last = place === batch.updates.length - 1;
      if (done.includes(name) && !last) continue;
      done.push(name);
      const behind = last ? cursorOf({ ...(next === undefined ? {} : { marker: next }) }) : cursorAt(marker, done);
      await attempt({ name, behind, raw: update }, () => emit(reportedOf(update, botId), behind));
    }
    if (batch.updates.length === 0 && next !== undefined && next !== marker) {
      await emit(null, cursorOf({ marker: next }));
    }
    marker = next;
    done = [];
    // The first request returns at once, so that the owner soon sees that the bot is connected.
    wait = POLL_SECONDS;
  }
}

const cursorOf = (place: Place): Cursor => ({ ...place });
const cursorAt = (marker: number | undefined, done: readonly string[]): Cursor =>
  cursorOf({ ...(marker === undefined ? {} : { marker }), done: [...done] });

/**
 * Subscribes the address to updates, each time anew, because MAX ends a subscription whose deliveries fail for hours. Ends a subscription
 * of the same path on another host.
 */
export async function subscribe(
  call: MaxCall,
  { url, secret }: { url: string; secret: string },
  signal: AbortSignal,
): Promise<void> {
  const body = { url, update_types: UPDATE_TYPES, secret };
  const within = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
  await call("/subscriptions", { method: "POST", body, signal: within }).catch(rethrowTrouble);
  const { pathname } = new URL(url);
  await unsubscribe(
    call,
    signal,
    (other) => other !== url && URL.canParse(other) && new URL(other).pathname === pathname,
  );
}

/** @throws ChannelTrouble */
export async function unsubscribe(
  call: MaxCall,
  signal: AbortSignal,
  unwanted: (url: string) => boolean,
): Promise<void> {
  const within = () => AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
  const answer = await call("/subscriptions", { signal: within() }).catch(rethrowTrouble);
  for (const { url } of Subscriptions.parse(answer.body).subscriptions.filter((each) => unwanted(each.url))) {
    await call("/subscriptions", { method: "DELETE", query: { url }, signal: within() }).catch(rethrowTrouble);
  }
}
