/** Parses untrusted events one by one. An unparsable event must not block later ones, nor crash the process again after every restart. */
import * as z from "zod/mini";
import {
  ChannelTrouble,
  type Cursor,
  type Receiving,
  type Reported,
  type UntrustedEvent,
} from "#server/inbox/channel-protocol/channel.ts";
import { type Database, isDatabaseAway } from "#server/platform/db/database.ts";
import type { Log } from "#server/platform/log.ts";
import { runLabelled } from "#server/platform/process/event-loop-monitor.ts";
import { ThreadFailure } from "#server/platform/process/thread-pool.ts";
import { ReadingLimitExceeded } from "#server/platform/untrusted-text/threads.ts";
import { type LeasedCursor, storeCursor } from "./inbox.ts";
import type { ReceivingIntegration } from "./receiving-integration.ts";
import { eventNamesToRetry, setAside, settleSetAside } from "./set-aside-events.ts";

export const MAX_READ_ATTEMPTS = 3;

interface AttemptDeps {
  db: Database;
  log: Log;
}

interface Place {
  integration: ReceivingIntegration;
  leaseOwner: string;
  cursor: Cursor;
  signal: AbortSignal;
  emit(reported: Reported | null, cursor: LeasedCursor): Promise<void>;
}

/** Stored in the cursor, so that the next process knows which event was being parsed when the last one crashed. */
const Trying = z.object({ name: z.string(), times: z.number() });
const tryingOf = (cursor: Cursor) => z.catch(z.nullable(Trying), null).parse(cursor.trying ?? null);

export function createAttemptTracker(
  { db, log }: AttemptDeps,
  { integration, leaseOwner, cursor, signal, emit }: Place,
): Pick<Receiving, "attempt" | "again" | "emit"> {
  const { trying: _, ...kept } = cursor;
  let stored: Cursor = kept;
  let begun = tryingOf(cursor);
  const asked = new Set<string>();
  const leased = (value: Cursor): LeasedCursor => ({ value, leaseOwner });
  const writeDown = (name: string, times: number) =>
    storeCursor(db, integration, leased(times === 0 ? stored : { ...stored, trying: { name, times } }));

  /** @returns null when it was parsed, otherwise the failure */
  async function once(event: UntrustedEvent, times: number, work: () => Promise<void>): Promise<unknown> {
    try {
      await runLabelled(`event of ${integration.id}`, work);
      return null;
    } catch (error) {
      if (!isAtFault(error, signal)) {
        // An interrupted try says nothing about the event, so it is not counted.
        await writeDown(event.name, times - 1).catch(() => {});
        throw error;
      }
      log.warn({ err: error, integration: integration.id, event: event.name, times }, "an event could not be read");
      return error;
    }
  }

  return {
    async emit(reported, next) {
      await emit(reported, leased(next));
      stored = next;
    },
    async again() {
      const names = await eventNamesToRetry(db, integration);
      for (const name of names) asked.add(name);
      return names;
    },
    async attempt(event, work) {
      // Other events may come before it, because all events after a cursor are delivered together.
      let times = begun?.name === event.name ? begun.times : 0;
      if (times > 0) begun = null;
      let failure: unknown = new Error("the process ended while it was read");
      while (times < MAX_READ_ATTEMPTS) {
        await writeDown(event.name, ++times);
        failure = await once(event, times, work);
        if (failure !== null) continue;
        if (asked.delete(event.name)) await settleSetAside(db, integration, event.name);
        return;
      }
      await setAside(db, integration, await described(event, failure), leased(event.behind));
      stored = event.behind;
    },
  };
}

const isAtFault = (error: unknown, signal: AbortSignal): boolean =>
  !signal.aborted && !(error instanceof ChannelTrouble || error instanceof ThreadFailure || isDatabaseAway(error));

async function described(event: UntrustedEvent, failure: unknown) {
  const title = await (event.title?.() ?? Promise.resolve("Сообщение")).catch(() => "Сообщение");
  const reason =
    failure instanceof ReadingLimitExceeded
      ? "Оно слишком сложное: чтение заняло слишком много времени"
      : "Его не удалось прочитать";
  return { name: event.name, raw: event.raw, title, reason };
}
