/** A disk with less free space than this share is full: the database's journal and logs need the rest. */
const MIN_SHARE = 0.05;

/** @param floorBytes the installation's own minimum (DISK_FREE_FLOOR_MB), which replaces the share; null: none is set */
export function isFull(
  { totalBytes, freeBytes }: { totalBytes: number; freeBytes: number },
  floorBytes: number | null,
): boolean {
  return freeBytes < (floorBytes ?? totalBytes * MIN_SHARE);
}
