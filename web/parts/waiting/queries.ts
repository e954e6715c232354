import { useQuery } from "@tanstack/react-query";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { queryOf } from "#web/api/query.ts";
import { useReadOnly } from "#web/session/read-only.ts";

/** Without the stream, also in a hidden window: the count in its title is still to be right. */
const POLL_MS = 60_000;

/** Answers that wait for the person's own decision; 0 for who may decide on none, and while it is not known. */
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
