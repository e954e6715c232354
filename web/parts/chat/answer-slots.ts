/** Keeps connections free for other calls while several answers are being written. */

/**
 * Over HTTP/1.1 a browser opens at most six connections to one server, for all of its windows together. Each answer that is being written
 * holds one, the stream of changes holds one, and two stay for everything else.
 */
const MOST_ANSWERS = 3;

const slots = Array.from({ length: MOST_ANSWERS }, (_, at) => `answer-${at}`);

/** Over HTTP/2 and later all calls share one connection. */
function isLimited(): boolean {
  const [document] = performance.getEntriesByType("navigation") as Partial<PerformanceNavigationTiming>[];
  return !/^h[23]/.test(document?.nextHopProtocol ?? "");
}

/**
 * Waits until fewer than three answers are being written in this browser; call the result when yours has ended. Browsers without locks,
 * which is to say pages without a secure context, do not wait.
 * @throws AbortError after `signal`
 */
export async function takeAnswerSlot(signal: AbortSignal): Promise<() => void> {
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined || !isLimited()) return () => undefined;
  for (const slot of slots) {
    const release = await hold(locks, slot, { ifAvailable: true });
    if (release !== null) return release;
  }
  // Whichever is free first: the others are given up.
  const taken = new AbortController();
  const either = AbortSignal.any([signal, taken.signal]);
  const waits = slots.map((slot) => hold(locks, slot, { signal: either }));
  const release = await Promise.any(waits).catch(() => null);
  taken.abort();
  for (const wait of waits) {
    wait.then(
      (other) => other !== release && other?.(),
      () => undefined,
    );
  }
  if (release === null) throw signal.reason;
  if (signal.aborted) release();
  signal.throwIfAborted();
  return release;
}

/** Resolves with what releases the lock, null when it is not to be had at once. */
function hold(locks: LockManager, name: string, options: LockOptions): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, options, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((end) => resolve(end));
      })
      .catch(reject);
  });
}
