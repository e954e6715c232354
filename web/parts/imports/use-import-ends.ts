import { useEffect, useRef } from "react";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { ENDED } from "#contract/tags.ts";
import { refresh } from "#web/api/refresh.ts";
import { plural } from "#web/i18n/plural.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { isInProgress } from "./queries.ts";

const messages = ["сообщение", "сообщения", "сообщений"] as const;

/** Shows a toast when an import that was in progress has ended, on any screen. */
export function useImportEnds(imports: ImportState[] | undefined) {
  const moving = useRef(new Set<string>());
  useEffect(() => {
    for (const state of imports ?? []) {
      if (isInProgress(state)) {
        moving.current.add(state.id);
      } else if (moving.current.delete(state.id)) {
        announce(state);
      }
    }
  }, [imports]);
}

function announce({ status, imported, error }: ImportState) {
  if (status === "done") {
    toast({ title: "Импорт завершен!", description: `Импортировано: ${plural(imported, messages)}` });
  } else if (status === "failed") {
    const description = error ?? "Не удалось импортировать данные";
    toast({ title: "Ошибка импорта", description, variant: "destructive" });
  }
  if (status !== "preview") refresh({ tags: ENDED.import });
}
