/** A platform that fails again and again is left alone for a while; then one message tries whether it is back. */
import type { SendResult } from "./channel.ts";

/** Failures of the platform in a row after which sending pauses. */
export const FAILURES = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** While one message tries, the others wait so long at most. */
export const PROBE_MS = 60_000;

export const SENDING_WAITS = "Платформа не отвечает: отправка ждёт, пробуем снова сами";

export interface SendHealth {
  sendFailures: number;
  sendPausedUntil: Date | null;
}

export const isBroken = ({ sendFailures }: Pick<SendHealth, "sendFailures">): boolean => sendFailures >= FAILURES;

/** No answer, a broken line or an error of its own. Whatever the platform has said of a message shows that it is there. */
const platformFailed = (result: SendResult): boolean =>
  !result.ok && (result.kind === "unknown" || (result.kind === "retry" && result.away === true));

export function healthAfter(before: SendHealth, result: SendResult, now: Date): SendHealth {
  if (!platformFailed(result)) return { sendFailures: 0, sendPausedUntil: null };
  const sendFailures = before.sendFailures + 1;
  if (sendFailures < FAILURES) return { sendFailures, sendPausedUntil: null };
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(sendFailures - FAILURES, 20), LONGEST_PAUSE_MS);
  return { sendFailures, sendPausedUntil: new Date(now.getTime() + pause) };
}
