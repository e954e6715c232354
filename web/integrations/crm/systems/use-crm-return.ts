import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { CrmSystem, crmHost } from "#contract/integrations/crm.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";
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

/** A sign-in that came to nothing: the account that it was for, and why. */
export interface RefusedSignIn {
  system: CrmSystem;
  host: string;
  error: Error;
}

interface CrmReturn {
  /** A sign-in is being ended with what the CRM has sent the browser back with. */
  ending: boolean;
  refused: RefusedSignIn | null;
  forget: () => void;
}

/** Ends a sign-in with what the CRM has sent the browser back with. What fails is mended where the sign-in is begun. */
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
