import type { Card } from "#server/inbox/channel-protocol/channel.ts";
import type { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";

/** What a member's chat must show next: a draft or an act, new or in another state. */
export interface ToShow {
  /** null: no message shows it yet. */
  notice: typeof ownerNotices.$inferSelect | null;
  /** What a decision must apply to. */
  version: string;
  /** null: it was deleted. */
  twin: { name: string; orgId: string; ownerId: string } | null;
  /** Whether the message needs no more updates. */
  settled: boolean;
  /** What a new notice refers to; null: it was deleted. */
  of: { outboxId: string } | { actId: string } | null;
  /** @param doubtful whether an earlier message may already show it */
  card(noticeId: string, doubtful: boolean): Card;
}
