import type { AuditAction } from "#contract/organizations/audit.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";

interface AuditEntry {
  action: AuditAction;
  /** Absent where the user is unknown, as for a failed sign-in to an unknown account. */
  userId?: string | null;
  organizationId?: string | null;
  /** What was acted on, when that is not the user. */
  subject?: string;
  /**
   * Facts, never secrets or user-written texts, because the log outlives what is deleted. contract/organizations/audit.ts tells what is
   * shown of them.
   */
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

/** `audit` inside a tenant's transaction, whose role may only append entries of its own organisation. */
export async function auditInTenant(tx: Tx, entry: AuditEntry & { organizationId: string }): Promise<void> {
  await audit(tx, entry);
}

/** «a…@example.ru»: enough to recognise an address in a log that outlives its owner's account. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*@/u, "$1…@");
