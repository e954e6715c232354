import { setTimeout as sleep } from "node:timers/promises";
import type { Channel, Receiving } from "./channel.ts";

/** How often the credentials are looked at when nothing is sent. */
const RECHECK_MS = 3600_000;

/** Where nothing comes in by itself: the owner is told why (`limitation`), and when his credentials have been taken back. */
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
