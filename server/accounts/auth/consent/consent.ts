/** Consent to the legal texts in force (152-ФЗ, article 9; GDPR, article 7): which version, when, from where. */
import { createHash } from "node:crypto";
import { desc, eq } from "drizzle-orm";
import { CONSENT_VERSION } from "#contract/organizations/consent.ts";
import type { Config } from "#server/platform/config.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { consents, users } from "#server/platform/db/schema/accounts.ts";
import { conflict, invalid } from "#server/platform/errors.ts";
import { audit } from "../audit.ts";

/**
 * Refuses a registration without consent to the texts in force. A program may omit it: it registers a user who is asked at the first visit
 * with a browser.
 * @throws Problem 400 from a browser without consent, 409 for other texts than those in force
 */
export function requireConsent(version: string | undefined, browser: boolean): void {
  if (version === undefined && browser) {
    const sentence = "Примите условия и политику обработки персональных данных";
    throw invalid("invalid_input", sentence, { fields: { consent: sentence } });
  }
  if (version !== undefined && version !== CONSENT_VERSION) {
    throw conflict("consent_outdated", "Тексты условий обновились. Обновите страницу и прочитайте их ещё раз.");
  }
}

export async function recordConsent(tx: Tx, userId: string, ip: string): Promise<void> {
  const addressHash = createHash("sha256").update(`${userId}\n${ip}`).digest("hex");
  await tx.insert(consents).values({ userId, version: CONSENT_VERSION, addressHash }).onConflictDoNothing();
  await tx.update(users).set({ consentVersion: CONSENT_VERSION }).where(eq(users.id, userId));
  await audit(tx, { action: "consent", userId, detail: { version: CONSENT_VERSION } });
}

/** Returns the newest first. */
export async function listConsents(db: Tx, userId: string): Promise<{ version: string; acceptedAt: string }[]> {
  const rows = await db.select().from(consents).where(eq(consents.userId, userId)).orderBy(desc(consents.acceptedAt));
  return rows.map(({ version, acceptedAt }) => ({ version, acceptedAt: acceptedAt.toISOString() }));
}

/**
 * Whether the person must be asked for consent before continuing. Demo mode (impossible in production) lets in a user who has never
 * consented. It asks one who has accepted an older version of the texts.
 */
export const consentDue = (user: { consentVersion: string | null }, config: Pick<Config, "demo">): boolean =>
  user.consentVersion !== CONSENT_VERSION && !(config.demo && user.consentVersion === null);
