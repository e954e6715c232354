import { APPROVALS_LIMIT } from "#contract/conversations/approvals-limit.ts";

/** The server counts no further. */
export const shortCount = (count: number): string =>
  count < APPROVALS_LIMIT ? String(count) : `${APPROVALS_LIMIT - 1}+`;
