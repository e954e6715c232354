import { useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useCompleteConnection } from "./queries.ts";

/** Query parameters that an authorization server sends back; all of them are removed from the address. */
const SENT = ["code", "state", "iss", "error", "error_description", "error_uri", "scope", "session_state"];

/**
 * Completes a sign-in after an authorization server has sent the browser back.
 * @returns whether one is being completed
 */
export function useConnectionReturn(onDone: (connection: ToolConnection) => void): boolean {
  const [search, setSearch] = useSearchParams();
  const complete = useCompleteConnection();
  const taken = useRef(false);
  const [code, state, issuer, denied] = ["code", "state", "iss", "error"].map((name) => search.get(name));
  useEffect(() => {
    if (taken.current || state == null || (code == null && denied == null)) return;
    taken.current = true;
    setSearch(
      (before) => {
        for (const name of SENT) before.delete(name);
        return before;
      },
      { replace: true },
    );
    if (code == null) {
      toast({ title: "Сервер не подключён", description: "Доступ не разрешён", variant: "destructive" });
      return;
    }
    complete.mutate(
      { code, state, ...(issuer == null ? {} : { issuer }) },
      { onSuccess: onDone, onError: toastRefusal("Сервер не подключён", "Начните вход заново") },
    );
  }, [code, state, issuer, denied, setSearch, complete.mutate, onDone]);
  return complete.isPending;
}
