import { useEffect, useRef } from "react";
import type { ImportState } from "#contract/imports.ts";
import { plural } from "#web/i18n/plural.ts";
import { toast } from "#web/ui/toast.ts";
import { isMoving, knowledgeChanged } from "./queries.ts";

const messages = ["сообщение", "сообщения", "сообщений"] as const;

/** Tells when an import that was seen moving has ended, wherever on the screen one is by then. */
export function useImportEnds(imports: ImportState[] | undefined) {
  const moving = useRef(new Set<string>());
  useEffect(() => {
    for (const state of imports ?? []) {
      if (isMoving(state)) {
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
  if (status !== "preview") knowledgeChanged();
}
