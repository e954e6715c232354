import { APPROVALS_LIMIT } from "#contract/approvals.ts";

/** The server counts no further. */
export const shortCount = (count: number): string =>
  count < APPROVALS_LIMIT ? String(count) : `${APPROVALS_LIMIT - 1}+`;
