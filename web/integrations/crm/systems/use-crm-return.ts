import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { CrmSystem, crmHost } from "#contract/integrations/crm.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useCompleteCrm } from "./crm-queries.ts";

/** Query parameters that CRM systems send back; all of them are removed from the address. */
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

export interface RefusedSignIn {
  system: CrmSystem;
  host: string;
  error: Error;
}

interface CrmReturn {
  /** Whether a sign-in is being completed with the parameters from the CRM. */
  ending: boolean;
  refused: RefusedSignIn | null;
  forget: () => void;
}

/** Completes a sign-in after the CRM has redirected the browser back. Failures are shown in the sign-in dialog, where they can be fixed. */
export function useCrmReturn(): CrmReturn {
  const [search, setSearch] = useSearchParams();
  const [refused, setRefused] = useState<RefusedSignIn | null>(null);
  const complete = useCompleteCrm();
  const taken = useRef(false);
  const [code, state, denied] = [search.get("code"), search.get("state"), search.get("error")];
  const host = search.get("referer") ?? search.get("domain");
  useEffect(() => {
    if (taken.current || (denied === null && (code === null || state === null))) return;
    taken.current = true;
    setSearch(
      (before) => {
        for (const name of SENT) before.delete(name);
        return before;
      },
      { replace: true },
    );
    if (code === null || state === null) {
      toast({ title: "CRM не подключена", description: "Доступ не разрешён", variant: "destructive" });
      return;
    }
    complete.mutate(
      { code, state, ...(host === null ? {} : { host }) },
      {
        onError: (error) => {
          const system = CrmSystem.options.find((each) => host !== null && crmHost(each, host) !== null);
          if (system === undefined || host === null) toastRefusal("CRM не подключена", "Начните вход заново")(error);
          else setRefused({ system, host, error });
        },
      },
    );
  }, [code, state, denied, host, setSearch, complete.mutate]);
  return { ending: complete.isPending, refused, forget: () => setRefused(null) };
}
