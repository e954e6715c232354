/**
 * Work that is much cheaper done for many at once: what arrives while it runs is done together in the next run. Nobody waits
 * for a timer, and the busier it is, the cheaper each becomes.
 */
import { isDatabaseAway } from "#server/db/database.ts";

/** Of one run. */
const MOST = 100;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * @param run gives a result for each item, in their order; where it throws, each is tried by itself
 * @returns does an item together with others of the same key
 */
export function together<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (key: string, item: Item) => Promise<Result> {
  /** Those that wait behind a run that goes on. */
  const queues = new Map<string, Waiting<Item, Result>[]>();

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [place, { resolve }] of batch.entries()) resolve(results[place]!);
    } catch (error) {
      // A database that is away is so for each of them.
      if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await settle([one]);
    }
  }

  async function work(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await settle(queue.splice(0, MOST));
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
