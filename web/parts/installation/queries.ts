import { useMutation, useQuery } from "@tanstack/react-query";
import { installationApi as api } from "#contract/organizations/installation.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { useSession } from "#web/session/session.tsx";
import { toast } from "#web/ui/toasts/toast.ts";

export const useAdministratorState = () => useQuery(queryOf(api.administrator)).data?.administrator;

/** Whether the installation has no administrator. Its installer then finds the links of unsent emails on the server. */
export function useIsUnclaimed(): boolean {
  const administrator = useAdministratorState();
  return administrator === "first" || administrator === "code";
}

export function useClaimInstallation() {
  const { refresh } = useSession();
  return useMutation({
    mutationFn: (code: string) => call(api.claim, { input: { code } }),
    // An administrator of the installation sees other screens, and no longer this form.
    onSuccess: () => {
      toast({ title: "Вы администратор этой установки" });
      return refresh();
    },
  });
}
