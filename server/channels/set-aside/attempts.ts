/**
 * Reading what strangers send, event by event: one that cannot be read must not keep those behind it waiting, nor come back
 * first thing after a restart and end the process again.
 */
import * as z from "zod/mini";
import { type Database, isDatabaseAway } from "#server/db/database.ts";
import { Overrun } from "#server/foreign-text/threads.ts";
import type { Log } from "#server/log.ts";
import { underWay } from "#server/loop-watch.ts";
import { ThreadFailure } from "#server/thread-pool.ts";
import {
  ChannelTrouble,
  type Cursor,
  type ForeignEvent,
  type Inbound,
  type Notice,
  type Receiving,
} from "../channel.ts";
import { type LeasedCursor, type ReceivingIntegration, storeCursor } from "../inbox.ts";
import { namesToReadAgain, setAside, settleSetAside } from "./set-aside-events.ts";

/** An event is read so often before it is set aside. */
export const TRIES = 3;

export interface AttemptDeps {
  db: Database;
  log: Log;
}

export interface Place {
  integration: ReceivingIntegration;
  /** Of the lease under which the cursor is moved. */
  leaseOwner: string;
  /** Where receiving goes on, as it is stored. */
  cursor: Cursor;
  signal: AbortSignal;
  /** Store what was read with the cursor behind it. */
  emit(inbound: Inbound | null, cursor: LeasedCursor): Promise<void>;
  tell(notice: Notice, cursor: LeasedCursor): Promise<void>;
}

/** Kept within the cursor: what was being read when the process ended is known to the next one. */
const Trying = z.object({ name: z.string(), times: z.number() });
const tryingOf = (cursor: Cursor) => z.catch(z.nullable(Trying), null).parse(cursor.trying ?? null);

export function attempts(
  { db, log }: AttemptDeps,
  { integration, leaseOwner, cursor, signal, emit, tell }: Place,
): Pick<Receiving, "attempt" | "again" | "emit" | "tell"> {
  const { trying: _, ...kept } = cursor;
  let stored: Cursor = kept;
  let begun = tryingOf(cursor);
  const asked = new Set<string>();
  const leased = (value: Cursor): LeasedCursor => ({ value, leaseOwner });
  const writeDown = (name: string, times: number) =>
    storeCursor(db, integration, leased(times === 0 ? stored : { ...stored, trying: { name, times } }));

  /** null: it was read; else why it was not. */
  async function once(event: ForeignEvent, times: number, work: () => Promise<void>): Promise<unknown> {
    try {
      await underWay(`event of ${integration.id}`, work);
      return null;
    } catch (error) {
      if (!isAtFault(error, signal)) {
        // This try says nothing of the event.
        await writeDown(event.name, times - 1).catch(() => {});
        throw error;
      }
      log.warn({ err: error, integration: integration.id, event: event.name, times }, "an event could not be read");
      return error;
    }
  }

  return {
    async emit(inbound, next) {
      await emit(inbound, leased(next));
      stored = next;
    },
    async tell(notice, next) {
      await tell(notice, leased(next));
      stored = next;
    },
    async again() {
      const names = await namesToReadAgain(db, integration);
      for (const name of names) asked.add(name);
      return names;
    },
    async attempt(event, work) {
      // Others may come before it: what a cursor stands before is delivered together.
      let times = begun?.name === event.name ? begun.times : 0;
      if (times > 0) begun = null;
      let failure: unknown = new Error("the process ended while it was read");
      while (times < TRIES) {
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

async function described(event: ForeignEvent, failure: unknown) {
  const title = await (event.title?.() ?? Promise.resolve("Сообщение")).catch(() => "Сообщение");
  const reason =
    failure instanceof Overrun
      ? "Оно слишком сложное: чтение заняло слишком много времени"
      : "Его не удалось прочитать";
  return { name: event.name, raw: event.raw, title, reason };
}
