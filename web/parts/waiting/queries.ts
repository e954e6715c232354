import { useQuery } from "@tanstack/react-query";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { queryOf } from "#web/api/query.ts";
import { useReadOnly } from "#web/session/read-only.ts";

/** Polling interval without the stream, also in a hidden window, because its title shows the count. */
const POLL_MS = 60_000;

/** Number of answers that the user may decide on; 0 for users without that right and while it is unknown. */
export function useWaitingCount(): number {
  const mayDecide = useReadOnly() === null;
  const { data } = useQuery({
    ...queryOf(approvalsApi.count),
    enabled: mayDecide,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
  });
  return mayDecide ? (data?.waiting ?? 0) : 0;
}
