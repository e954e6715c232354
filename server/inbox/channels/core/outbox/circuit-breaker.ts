/** Pauses sending to a platform that fails again and again; then one message probes whether it is back. */
import type { SendResult } from "../../protocol/channel.ts";

/** Failures of the platform in a row after which sending pauses. */
export const FAILURES = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** Milliseconds that the others wait at most for the message that probes. */
export const PROBE_MS = 60_000;

export const SENDING_WAITS = "Платформа не отвечает: отправка ждёт, пробуем снова сами";

export interface SendHealth {
  sendFailures: number;
  sendPausedUntil: Date | null;
}

export const isBroken = ({ sendFailures }: Pick<SendHealth, "sendFailures">): boolean => sendFailures >= FAILURES;

/** Whether the platform gave no answer or an error of its own. A refusal of the message shows that the platform works. */
const platformFailed = (result: SendResult): boolean =>
  !result.ok && (result.kind === "unknown" || (result.kind === "retry" && result.away === true));

export function healthAfter(before: SendHealth, result: SendResult, now: Date): SendHealth {
  if (!platformFailed(result)) return { sendFailures: 0, sendPausedUntil: null };
  const sendFailures = before.sendFailures + 1;
  if (sendFailures < FAILURES) return { sendFailures, sendPausedUntil: null };
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(sendFailures - FAILURES, 20), LONGEST_PAUSE_MS);
  return { sendFailures, sendPausedUntil: new Date(now.getTime() + pause) };
}
