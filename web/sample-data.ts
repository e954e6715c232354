/** Data for a screen; `data` is undefined while it is loading. */
interface Shown<T> {
  data: T | undefined;
  /** Whether `data` is the sample. Everything that shows it carries the badge «Пример». */
  isSample: boolean;
}

/**
 * Returns the query's data, or `sample` when the server returned nothing: the call failed, the response was null or did not match
 * the contract (`queryOf` reports both as an error). `isNothing` extends this to screens without an empty state.
 */
export function shownOrSample<T>(
  { data, error }: { data: T | undefined; error: unknown },
  sample: T,
  isNothing: (data: T) => boolean = () => false,
): Shown<T> {
  // Data that was loaded stays when a later request fails.
  if (data !== undefined && data !== null) {
    return isNothing(data) ? { data: sample, isSample: true } : { data, isSample: false };
  }
  const failed = data === null || (error !== null && error !== undefined);
  return failed ? { data: sample, isSample: true } : { data: undefined, isSample: false };
}

/** Whether a list is empty, for screens that show sample data instead of an empty state. */
export const isEmptyList = (data: readonly unknown[]): boolean => data.length === 0;
