import type { Tx } from "#server/db/database.ts";
import { auditLog } from "#server/db/schema.ts";

export type AuditAction =
  | "sign-in"
  | "sign-in-failed"
  | "logout"
  | "registration"
  | "email-confirmed"
  | "confirmation-requested"
  | "password-reset-requested"
  | "password-reset"
  | "account-started-clean"
  | "password-changed"
  | "second-factor-on"
  | "second-factor-off"
  | "recovery-codes-made"
  | "recovery-code-used"
  | "passkey-added"
  | "passkey-renamed"
  | "passkey-removed"
  | "confirmed-again"
  | "confirmation-failed"
  | "session-ended"
  | "sessions-ended"
  | "consent"
  | "import-consent"
  | "twin-deleted"
  | "source-deleted"
  | "chat-deleted"
  | "contact-deleted"
  | "integration-created"
  | "integration-deleted"
  | "owner-chat-linked"
  | "owner-chat-unlinked"
  | "api-key-created"
  | "api-key-revoked"
  | "twins-stopped"
  | "twins-resumed"
  | "widget-saved"
  | "model-budget-set"
  | "webhook-created"
  | "webhook-changed"
  | "webhook-deleted"
  | "webhook-secret-changed"
  | "demo-seeded"
  | "invitation"
  | "invitation-accepted"
  | "invitation-revoked"
  | "role-changed"
  | "member-removed"
  | "organization-switched"
  | "organization-added"
  | "organization-renamed"
  | "plan-chosen"
  | "plan-edited"
  | "invoice-settled";

export interface AuditEntry {
  action: AuditAction;
  /** Absent where nobody is known: a failed sign-in to an unknown account. */
  userId?: string | null;
  organizationId?: string | null;
  /** What it was done to, when that is not the user. */
  subject?: string;
  /** Facts, never a secret. */
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
