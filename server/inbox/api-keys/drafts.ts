/** Lets a program read the drafts that wait for their owner, and nothing else. */
import type { Draft } from "#contract/conversations/chat-completions.ts";
import { listApprovals } from "#server/inbox/approvals/approvals.ts";
import type { Database } from "#server/platform/db/database.ts";
import { notFound } from "#server/platform/errors.ts";
import type { KeyCaller } from "./key-caller.ts";

/** Lists the drafts of the key's twin that the key's creator may read, oldest first. */
export async function listDrafts(db: Database, caller: KeyCaller): Promise<Draft[]> {
  const waiting = await listApprovals(
    db,
    { ...caller, userId: caller.madeBy },
    { twinId: caller.twin.id, states: ["draft"] },
  );
  return waiting.map(({ id, platform, contactName, question, text, reason, confidence, createdAt }) => ({
    id,
    platform,
    contactName,
    question,
    text,
    reason,
    confidence,
    createdAt,
  }));
}

/** @throws Problem 404, also when it was decided meanwhile */
export async function getDraft(db: Database, caller: KeyCaller, id: string): Promise<Draft> {
  const draft = (await listDrafts(db, caller)).find((one) => one.id === id.toLowerCase());
  if (draft === undefined) throw notFound("Такой черновик не ждёт одобрения", "draft_not_found");
  return draft;
}
