import { useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import { toast } from "#web/ui/toasts/toast.ts";
import { useCompleteCrm } from "./crm-queries.ts";

/** What the systems send back beside the code; none of it stays in the address. */
const SENT = [
  "code",
  "state",
  "referer",
  "domain",
  "error",
  "client_id",
  "member_id",
  "scope",
  "server_domain",
  "platform",
  "from_widget",
];

/** Ends a sign-in with what the CRM has sent the browser back with. Says whether it is at that. */
export function useCrmReturn(): boolean {
  const [search, setSearch] = useSearchParams();
  const complete = useCompleteCrm();
  const taken = useRef(false);
  const [code, state, error] = [search.get("code"), search.get("state"), search.get("error")];
  const host = search.get("referer") ?? search.get("domain");
  useEffect(() => {
    if (taken.current || (error === null && (code === null || state === null))) return;
    taken.current = true;
    setSearch(
      (before) => {
        for (const name of SENT) before.delete(name);
        return before;
      },
      { replace: true },
    );
    if (code !== null && state !== null) complete.mutate({ code, state, ...(host === null ? {} : { host }) });
    else toast({ title: "CRM не подключена", description: "Доступ не разрешён", variant: "destructive" });
  }, [code, state, error, host, setSearch, complete.mutate]);
  return complete.isPending;
}
