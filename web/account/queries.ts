import { useMutation, useQuery } from "@tanstack/react-query";
import { accountApi } from "#contract/organizations/account.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { ConfirmationLeft, useWithConfirmation } from "#web/parts/confirm-identity/confirm-identity.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

export const useSecurity = () => useQuery(queryOf(accountApi.security));
export const useSessions = () => useQuery({ ...queryOf(accountApi.sessions), staleTime: 0 });
export const useNotices = () => useQuery({ ...queryOf(accountApi.notices), staleTime: 0 });

/**
 * Performs a sensitive action. When the server requires it, the user confirms their identity and the action is repeated. A failure is
 * shown in a toast unless `quiet`.
 */
export function useSensitive<Answer, Input = void>(
  act: (input: Input) => Promise<Answer>,
  { failure, done, quiet = false }: { failure: string; done?: string; quiet?: boolean },
) {
  const withConfirmation = useWithConfirmation();
  return useMutation({
    mutationFn: (input: Input) => withConfirmation(() => act(input)),
    onSuccess: () => void (done !== undefined && toast({ title: done })),
    onError: (error) => {
      if (quiet || error instanceof ConfirmationLeft) return;
      toastError(failure)(error);
    },
  });
}

export const endSessions = (current: boolean) => call(accountApi.sessionsEnd, { input: { current } });
