import { useQuery } from "@tanstack/react-query";
import { actCountApi } from "#contract/actions/act-count.ts";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { queryOf } from "#web/api/query.ts";
import { useReadOnly } from "#web/session/read-only.ts";

/** Polling interval without the stream, also in a hidden window, because its title shows the count. */
const POLL_MS = 60_000;

export interface WaitingCounts {
  answers: number;
  /** Acts that wait for a decision, or of which nobody knows whether they were done. */
  acts: number;
}

/** What the user may decide on; 0 for users without that right and while it is unknown. */
export function useWaitingCounts(): WaitingCounts {
  const mayDecide = useReadOnly() === null;
  const polled = { enabled: mayDecide, refetchInterval: POLL_MS, refetchIntervalInBackground: true };
  const answers = useQuery({ ...queryOf(approvalsApi.count), ...polled }).data?.waiting ?? 0;
  const acts = useQuery({ ...queryOf(actCountApi.count), ...polled }).data?.waiting ?? 0;
  return mayDecide ? { answers, acts } : { answers: 0, acts: 0 };
}

export function useWaitingCount(): number {
  const { answers, acts } = useWaitingCounts();
  return answers + acts;
}
