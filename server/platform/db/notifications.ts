/** Listens to notifications that the database sends at a commit (NOTIFY), from any process. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "#server/platform/log.ts";
import { runBehindCallers } from "./caller-priority.ts";
import { outsideTransactions } from "./connection-guard.ts";
import type { OpenDatabase } from "./database.ts";

export interface ListenSubscription {
  stop(): Promise<void>;
}

interface Listener {
  heard(payload: string): void;
  /** Called when the channel is open. A second call means that notifications sent in between may be lost. */
  opened(again: boolean): void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Listens until stopped. On PostgreSQL it uses a separate direct connection, which is replaced when it breaks. On the embedded database,
 * notifications arrive on the only connection together with responses.
 * @param channel a plain SQL name
 */
export async function listenTo(
  { db, directUrl }: Pick<OpenDatabase, "db" | "directUrl">,
  channel: string,
  listener: Listener,
  log: Log,
): Promise<ListenSubscription> {
  const pool = db.$client;
  if (directUrl === null) {
    // The connection also receives notifications of other channels.
    const hear = ({ channel: told, payload = "" }: pg.Notification) => {
      // A notification arrives with the response to any transaction's statement, so its handler runs outside that transaction.
      if (told === channel) runBehindCallers(() => outsideTransactions(() => listener.heard(payload)));
    };
    let hearing: pg.PoolClient | undefined;
    // A broken client is replaced, while the engine keeps listening.
    const attach = (client: pg.PoolClient) => {
      hearing?.off("notification", hear);
      hearing = client.on("notification", hear);
    };
    const client = await pool.connect();
    attach(client);
    pool.on("connect", attach);
    await client.query(`listen ${channel}`).finally(() => client.release());
    listener.opened(false);
    return {
      async stop() {
        pool.off("connect", attach);
        hearing?.off("notification", hear);
      },
    };
  }
  const address = directUrl;
  const stopping = new AbortController();
  const running = keepListening();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };

  async function keepListening(): Promise<void> {
    let again = false;
    for (let wait = FIRST_WAIT_MS; !stopping.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const client = new pg.Client({ ...pool.options, connectionString: address });
      const broken = new Promise<void>((resolve) => {
        client.once("end", resolve);
        client.once("error", () => resolve());
        stopping.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      client.on("notification", ({ payload = "" }) => listener.heard(payload));
      try {
        await client.connect();
        await client.query(`listen ${channel}`);
        listener.opened(again);
        again = true;
        wait = FIRST_WAIT_MS;
        await broken;
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error, channel }, "the database's notifications are not heard");
      }
      await client.end().catch(() => {});
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
}
