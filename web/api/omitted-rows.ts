/** Records responses with rows that could not be shown, so that the screen can say so. */

const odd = new Map<string, string>();
const listeners = new Set<() => void>();

/** Records whether rows of the latest response for `address` were left out. */
export function recordOmittedRows(address: string, path: string, leftOut: number): void {
  if (leftOut > 0) odd.set(address, path);
  else if (!odd.delete(address)) return;
  for (const listener of listeners) listener();
}

/** Whether rows of the query with this key (from `queryKeyOf`) were left out. */
export function hasOmittedRows(queryKey: readonly unknown[]): boolean {
  if (odd.size === 0) return false;
  const steps = queryKey.filter((part) => typeof part === "string").flatMap((part) => part.split("/"));
  return [...odd.values()].some((path) => {
    const pattern = path.split("/");
    return (
      pattern.length <= steps.length && pattern.every((step, place) => step.startsWith(":") || step === steps[place])
    );
  });
}

export function onOmittedRowsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
