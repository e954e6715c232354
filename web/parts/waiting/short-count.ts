import { APPROVALS_LIMIT } from "#contract/conversations/approvals-limit.ts";

/** The server stops counting at APPROVALS_LIMIT, so that larger numbers are shown as «99+». */
export const shortCount = (count: number): string =>
  count < APPROVALS_LIMIT ? String(count) : `${APPROVALS_LIMIT - 1}+`;
