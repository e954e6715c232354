import { useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useCallback, useSyncExternalStore } from "react";
import { hasOmittedRows, onOmittedRowsChange } from "#web/api/omitted-rows.ts";
import { Button } from "#web/ui/button.tsx";

/** Says that some rows of a list on the screen could not be read, so that the list is incomplete. */
export function OmittedRowsNote() {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [onOmittedRowsChange(listener), client.getQueryCache().subscribe(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    [client],
  );
  const isShown = () =>
    client
      .getQueryCache()
      .findAll({ type: "active" })
      .some(({ queryKey }) => hasOmittedRows(queryKey));
  const shown = useSyncExternalStore(subscribe, isShown, () => false);
  if (!shown) return null;
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border bg-surface px-4 py-3 text-md"
    >
      <TriangleAlert aria-hidden className="icon shrink-0 text-warning-text" />
      <p className="min-w-0 flex-1 basis-64 text-muted">
        Часть записей прочитать не&nbsp;удалось, здесь их&nbsp;нет. Остальное показано полностью.
      </p>
      <Button size="sm" onClick={() => void client.refetchQueries({ type: "active" })}>
        Прочитать ещё раз
      </Button>
    </div>
  );
}
