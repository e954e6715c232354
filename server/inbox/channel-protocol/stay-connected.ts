import { setTimeout as sleep } from "node:timers/promises";
import type { Channel, Receiving } from "./channel.ts";

/** Milliseconds between checks of the credentials while nothing is sent. */
const RECHECK_MS = 3600_000;

/** Keeps an integration connected that cannot receive. The owner sees why (`limitation`), and when the credentials stop being valid. */
export async function stayConnected(
  { connected, signal }: Receiving,
  verify: Channel["verify"],
  limitation: string,
): Promise<void> {
  while (!signal.aborted) {
    await verify(signal);
    await connected(limitation);
    await sleep(RECHECK_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
