import type { ReactNode } from "react";
import type { Twin } from "#contract/twins.ts";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { isTwinMissing, useTwin } from "./queries.ts";
import { TwinNotFound } from "./twin-not-found.tsx";

interface TwinScreenProps {
  id: string;
  children: (twin: Twin) => ReactNode;
}

export function TwinScreen({ id, children }: TwinScreenProps) {
  const { data: twin, error, refetch } = useTwin(id);
  // A failed refetch keeps the twin on the screen, unless the twin was deleted.
  if (isTwinMissing(error) || twin === null) return <TwinNotFound />;
  if (twin) return children(twin);
  if (error) {
    return <ErrorCard title="Не удалось загрузить двойника" error={error} onRetry={() => void refetch()} />;
  }
  return <LoadingStatus className="min-h-80">Загружаем двойника...</LoadingStatus>;
}
