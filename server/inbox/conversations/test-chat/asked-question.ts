/** Keeps the question of a test chat while a long answer to it is made, so that it outlives the process that answers. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import type { Log } from "#server/platform/log.ts";

/** Milliseconds: quick answers cost no statement more; a question counts as interrupted so long after the last sign of life. */
export const ASKED = { keptAfterMs: 300, leaseMs: 12_000, renewMs: 4_000 };

interface Asked {
  id: string;
  isNew: boolean;
  twinId: string;
  message: string;
  /** Name of a conversation that begins with the question. */
  name: string;
}

export interface AskedQuestion {
  /** The answer is whole. @returns whether the conversation exists by now, so that the answer is added to it */
  answered(): Promise<boolean>;
  /** The asker has been told that there is no answer, or wants none. */
  forget(): Promise<void>;
  /** The server stops before the answer's end; the asker may repeat the question. */
  interrupt(): Promise<void>;
}

interface AskedDeps {
  db: Database;
  log: Log;
}

/** Begins to keep the question. */
export function keepAsked({ db, log }: AskedDeps, caller: Tenant, asked: Asked): AskedQuestion {
  const until = () => sql`now() + make_interval(secs => ${ASKED.leaseMs / 1000})`;
  let isKept = false;
  let writing: Promise<void> = Promise.resolve();
  const write = (work: (tx: Tx) => Promise<unknown>) => {
    writing = writing
      .then(() => asTenant(db, caller, work))
      .then(
        () => {},
        (error: unknown) => log.warn({ err: error }, "a question could not be kept"),
      );
    return writing;
  };
  const mine = and(eq(conversations.id, asked.id), eq(conversations.userId, caller.userId));
  const keep = async (tx: Tx, askedUntil: SQL) => {
    const row = { asked: asked.message, askedUntil };
    if (isKept || !asked.isNew) await tx.update(conversations).set(row).where(mine);
    else
      await tx.insert(conversations).values({
        ...{ id: asked.id, orgId: caller.organizationId, twinId: asked.twinId, userId: caller.userId },
        ...{ participantName: asked.name, ...row },
      });
    isKept = true;
  };
  let renewing: NodeJS.Timeout | undefined;
  const beginning = setTimeout(() => {
    const renew = () => void write((tx) => keep(tx, until()));
    renew();
    renewing = setInterval(renew, ASKED.renewMs).unref();
  }, ASKED.keptAfterMs).unref();
  const end = async () => {
    clearTimeout(beginning);
    clearInterval(renewing);
    await writing;
  };
  return {
    async answered() {
      await end();
      return isKept;
    },
    async forget() {
      await end();
      if (!isKept) return;
      await asTenant(db, caller, (tx) =>
        asked.isNew
          ? tx.delete(conversations).where(and(mine, eq(conversations.messageCount, 0)))
          : tx.update(conversations).set({ asked: null, askedUntil: null }).where(mine),
      );
    },
    async interrupt() {
      await end();
      await write((tx) => keep(tx, sql`now()`));
    },
  };
}
