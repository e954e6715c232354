import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { stopSwitchApi } from "#contract/organizations/stop-switch.ts";
import { call } from "#web/api/call.ts";
import { queryKeyOf, queryOf } from "#web/api/query.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

/** Polling interval, because a colleague may stop the twins at any time. */
const POLL_MS = 20_000;

export const useStopSwitch = () => useQuery({ ...queryOf(stopSwitchApi.get), refetchInterval: POLL_MS });

export function useSetStopSwitch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (stopped: boolean) => call(stopSwitchApi.set, { input: { stopped } }),
    onSuccess: (answer) => {
      client.setQueryData(queryKeyOf(stopSwitchApi.get, {}), answer);
      toast({ title: answer.stopped ? "Все двойники остановлены" : "Двойники снова отвечают" });
    },
    onError: (error, stopped) =>
      toastError(stopped ? "Не удалось остановить двойников" : "Не удалось включить двойников")(error),
  });
}
