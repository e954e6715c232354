import type { AuditAction } from "#contract/organizations/audit.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";

interface AuditEntry {
  action: AuditAction;
  /** Absent when the user is unknown, as in a failed sign-in to an unknown account. */
  userId?: string | null;
  organizationId?: string | null;
  /** The object of the action, when it is not the user. */
  subject?: string;
  /**
   * Facts, never secrets or texts that a user typed: the log outlives deleted data. contract/organizations/audit.ts lists what readers see.
   */
  detail?: Record<string, unknown>;
}

/** Appends to the audit log; a database trigger refuses updates and deletions of entries. */
export async function audit(db: Tx, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values({
    action: entry.action,
    userId: entry.userId ?? null,
    orgId: entry.organizationId ?? null,
    subject: entry.subject ?? null,
    detail: entry.detail ?? null,
  });
}

/** `audit` within a tenant's transaction: its database role may only append entries of its own organisation. */
export async function auditInTenant(tx: Tx, entry: AuditEntry & { organizationId: string }): Promise<void> {
  await audit(tx, entry);
}

/** «a…@example.ru»: a reader recognises the address, but the log, which outlives the account, does not hold it. */
export const maskedEmail = (email: string): string => email.replace(/^(.).*@/u, "$1…@");
