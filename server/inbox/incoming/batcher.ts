/**
 * Batches work that is much cheaper for many items at once: items that arrive during a run are processed together in the next one. There is
 * no timer to wait for, and under load each item becomes cheaper.
 */
import { isDatabaseAway } from "#server/platform/db/database.ts";

const MAX_BATCH = 100;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * @param run returns a result for each item in order; if it throws, each item is retried alone
 * @returns a function that processes an item together with others of the same key
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (key: string, item: Item) => Promise<Result> {
  /** Items that wait for the present run to end, by key. */
  const queues = new Map<string, Waiting<Item, Result>[]>();

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [place, { resolve }] of batch.entries()) resolve(results[place]!);
    } catch (error) {
      // An unavailable database would fail each single item as well, so there is no retry.
      if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await settle([one]);
    }
  }

  async function work(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await settle(queue.splice(0, MAX_BATCH));
    queues.delete(key);
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      if (queue !== undefined) return void queue.push({ item, resolve, reject });
      const begun = [{ item, resolve, reject }];
      queues.set(key, begun);
      void work(key, begun);
    });
}
