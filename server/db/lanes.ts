/** For whom the database is asked: who waits for an answer comes before what happens by itself. */
import { AsyncLocalStorage } from "node:async_hooks";

const asking = new AsyncLocalStorage<string>();

/** Whatever `work` asks of the database, it asks for this caller: a session, a key or an address. */
export function askingFor<T>(who: string, work: () => T): T {
  return asking.run(who, work);
}

/** What `work` asks of the database, nobody waits for. */
export function askingForNobody<T>(work: () => T): T {
  return asking.run("", work);
}

/** Who waits; "" when nobody does. */
export const whoAsks = (): string => asking.getStore() ?? "";
