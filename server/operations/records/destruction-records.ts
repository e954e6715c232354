import { randomUUID } from "node:crypto";
import type { DeletedCounts, DestructionRecord } from "#contract/organizations/records.ts";
import { audit } from "#server/accounts/auth/audit.ts";
import type { Tx } from "#server/platform/db/database.ts";

interface Destruction {
  kind: DestructionRecord["kind"];
  /** `subject`: id of what was deleted; `by`: id of the user who deleted it. */
  subject: string;
  by: string;
  counts: DeletedCounts;
  /** The organisation whose log contains the record; null for an account that belonged to several. */
  orgId: string | null;
}

/** Writes the record as an entry of the audit log, which cannot be changed: ids and numbers without names or texts. */
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
