import type { AuditAction } from "#contract/audit.ts";
import type { Tx } from "#server/db/database.ts";
import { auditLog } from "#server/db/schema.ts";

export interface AuditEntry {
  action: AuditAction;
  /** Absent where nobody is known: a failed sign-in to an unknown account. */
  userId?: string | null;
  organizationId?: string | null;
  /** What it was done to, when that is not the user. */
  subject?: string;
  /** Facts, never a secret, never what somebody wrote: the log outlives what is deleted. What is shown of them: contract/audit.ts. */
  detail?: Record<string, unknown>;
}

/** Appends to the audit log; a trigger refuses any change of what is written. */
export async function audit(db: Tx, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values({
    action: entry.action,
    userId: entry.userId ?? null,
    orgId: entry.organizationId ?? null,
    subject: entry.subject ?? null,
    detail: entry.detail ?? null,
  });
}

/** The same inside a tenant's transaction, whose role may append entries of its own organisation and do nothing else with the log. */
export async function auditInTenant(tx: Tx, entry: AuditEntry & { organizationId: string }): Promise<void> {
  await audit(tx, entry);
}

/** «a…@example.ru»: enough to know an address again, for a log that outlives its owner's account. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*@/u, "$1…@");
