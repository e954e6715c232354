import { randomUUID } from "node:crypto";
import type { DeletedCounts, DestructionRecord } from "#contract/records.ts";
import { audit } from "#server/auth/audit.ts";
import type { Tx } from "#server/db/database.ts";

interface Destruction {
  kind: DestructionRecord["kind"];
  /** Id of what is gone, and of whoever did it. */
  subject: string;
  by: string;
  counts: DeletedCounts;
  /** The organisation in whose log it stands; null for an account that belonged to several. */
  orgId: string | null;
}

/** The record is an entry of the audit log, which nothing changes: ids and numbers, nobody's name and nobody's words. */
export async function recordDestruction(
  tx: Tx,
  { kind, subject, by, counts, orgId }: Destruction,
): Promise<DestructionRecord> {
  const [id, at] = [randomUUID(), new Date().toISOString()];
  await audit(tx, {
    action: kind === "account" ? "account-deleted" : "organization-deleted",
    userId: by,
    organizationId: orgId,
    subject,
    detail: { record: id, ...counts },
  });
  return { id, at, kind, subject, by, counts };
}
