/** A disk with a smaller free share counts as full: the database's journal and logs need the rest. */
const MIN_SHARE = 0.05;

/** @param floorBytes replaces the share in tests; null: the share counts */
export function isFull(
  { totalBytes, freeBytes }: { totalBytes: number; freeBytes: number },
  floorBytes: number | null,
): boolean {
  return freeBytes < (floorBytes ?? totalBytes * MIN_SHARE);
}
