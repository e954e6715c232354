import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { accountApi } from "#contract/account.ts";
import { ApiError, call, messageOf, queryKeyOf, queryOf } from "#web/api.ts";
import { toast } from "#web/ui/toast.ts";
import { ConfirmationLeft, useWithConfirmation } from "./confirm-identity.tsx";

export const useSecurity = () => useQuery(queryOf(accountApi.security));
export const useSessions = () => useQuery({ ...queryOf(accountApi.sessions), staleTime: 0 });
export const useNotices = () => useQuery({ ...queryOf(accountApi.notices), staleTime: 0 });

export const codeOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.serverMessage?.code : undefined;

export function useRefreshAccount() {
  const client = useQueryClient();
  return () => {
    for (const endpoint of [accountApi.security, accountApi.sessions, accountApi.notices])
      void client.invalidateQueries({ queryKey: queryKeyOf(endpoint, {}) });
  };
}

/**
 * A sensitive act: when the server wants to know who is there, the person is asked and the act is tried again. The screen is read
 * again afterwards. A failure is told in a toast unless `quiet`.
 */
export function useSensitive<Answer, Input = void>(
  act: (input: Input) => Promise<Answer>,
  { failure, done, quiet = false }: { failure: string; done?: string; quiet?: boolean },
) {
  const withConfirmation = useWithConfirmation();
  const refresh = useRefreshAccount();
  return useMutation({
    mutationFn: (input: Input) => withConfirmation(() => act(input)),
    onSuccess: () => {
      refresh();
      if (done !== undefined) toast({ title: done });
    },
    onError: (error) => {
      if (quiet || error instanceof ConfirmationLeft) return;
      toast({ title: failure, description: messageOf(error), variant: "destructive" });
    },
  });
}

export const endSessions = (current: boolean) => call(accountApi.sessionsEnd, { input: { current } });
