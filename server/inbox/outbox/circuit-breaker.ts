/** Pauses sending to a platform that fails repeatedly; then one message probes whether it works again. */
import type { SendResult } from "#server/inbox/channel-protocol/channel.ts";

/** Consecutive failures of the platform after which sending pauses. */
export const FAILURES = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** Maximum milliseconds that other messages wait for the probing message. */
export const PROBE_MS = 60_000;

export const SENDING_WAITS = "Платформа не отвечает: отправка ждёт, пробуем снова сами";

export interface SendHealth {
  sendFailures: number;
  sendPausedUntil: Date | null;
}

export const isBroken = ({ sendFailures }: Pick<SendHealth, "sendFailures">): boolean => sendFailures >= FAILURES;

/** Returns whether the platform did not respond or reported its own error. A refusal of the message shows that the platform works. */
const platformFailed = (result: SendResult): boolean =>
  !result.ok && (result.kind === "unknown" || (result.kind === "retry" && result.away === true));

export function healthAfter(before: SendHealth, result: SendResult, now: Date): SendHealth {
  if (!platformFailed(result)) return { sendFailures: 0, sendPausedUntil: null };
  const sendFailures = before.sendFailures + 1;
  if (sendFailures < FAILURES) return { sendFailures, sendPausedUntil: null };
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(sendFailures - FAILURES, 20), LONGEST_PAUSE_MS);
  return { sendFailures, sendPausedUntil: new Date(now.getTime() + pause) };
}
