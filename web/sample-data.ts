/** Data for a screen; `data` is undefined while it is loading. */
interface Shown<T> {
  data: T | undefined;
  /** The sample stands in place of an answer; whatever shows it carries the badge «Пример». */
  isSample: boolean;
}

/**
 * The query's answer, or `sample` where the server returned nothing: the call failed, the answer was null or of another shape
 * than the contract's (`queryOf` reports both as an error). `isNothing` widens that, for screens without an empty state of their own.
 */
export function shownOrSample<T>(
  { data, error }: { data: T | undefined; error: unknown },
  sample: T,
  isNothing: (data: T) => boolean = () => false,
): Shown<T> {
  // What was read before stays when a later reading fails.
  if (data !== undefined && data !== null) {
    return isNothing(data) ? { data: sample, isSample: true } : { data, isSample: false };
  }
  const failed = data === null || (error !== null && error !== undefined);
  return failed ? { data: sample, isSample: true } : { data: undefined, isSample: false };
}

/** Whether a list is empty, for screens that show sample data instead of an empty state. */
export const isEmptyList = (data: readonly unknown[]): boolean => data.length === 0;
