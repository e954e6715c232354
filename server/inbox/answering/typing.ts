/** Milliseconds between typing signals: Telegram shows one for five seconds, other platforms longer. */
export const TYPING_AGAIN_MS = 4_000;

/** Shows that an answer is being written until the returned function is called. */
export function keepTyping(show: () => Promise<void>): () => void {
  const showNow = () => void show().catch(() => {});
  showNow();
  const timer = setInterval(showNow, TYPING_AGAIN_MS);
  return () => clearInterval(timer);
}
