import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { approvalsApi } from "#contract/approvals.ts";
import { stopSwitchApi } from "#contract/stop-switch.ts";
import { call, messageOf, queryKeyOf, queryOf } from "#web/api.ts";
import { toast } from "#web/ui/toast.ts";

/** A colleague may throw the switch at any time. */
const LOOK_MS = 20_000;

export const useStopSwitch = () => useQuery({ ...queryOf(stopSwitchApi.get), refetchInterval: LOOK_MS });

export function useSetStopSwitch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (stopped: boolean) => call(stopSwitchApi.set, { input: { stopped } }),
    onSuccess: (answer) => {
      client.setQueryData(queryKeyOf(stopSwitchApi.get, {}), answer);
      void client.invalidateQueries({ queryKey: queryKeyOf(approvalsApi.list, {}) });
      toast({ title: answer.stopped ? "Все двойники остановлены" : "Двойники снова отвечают" });
    },
    onError: (error, stopped) =>
      toast({
        title: stopped ? "Не удалось остановить двойников" : "Не удалось включить двойников",
        description: messageOf(error),
        variant: "destructive",
      }),
  });
}
