import { and, eq } from "drizzle-orm";
import { FIRST_SETTINGS, type NotificationSettings } from "#contract/organizations/notifications.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { notificationSettings } from "#server/platform/db/schema/accounts.ts";

export type SettingsRow = typeof notificationSettings.$inferSelect;

export const settingsOf = ({ organizationId, userId }: Tenant) =>
  and(eq(notificationSettings.orgId, organizationId), eq(notificationSettings.userId, userId));

export async function readSettings(db: Database, tenant: Tenant): Promise<NotificationSettings | null> {
  const [row] = await asTenant(db, tenant, (tx) => tx.select().from(notificationSettings).where(settingsOf(tenant)));
  return row === undefined ? null : settingsJson(row);
}

/** Saves the settings and starts the marks now, so that earlier drafts are not reported. */
export async function saveSettings(db: Database, tenant: Tenant, settings: NotificationSettings): Promise<void> {
  const key = { orgId: tenant.organizationId, userId: tenant.userId };
  await asTenant(db, tenant, (tx) =>
    tx
      .insert(notificationSettings)
      .values({ ...key, ...settings })
      .onConflictDoUpdate({ target: [notificationSettings.orgId, notificationSettings.userId], set: settings }),
  );
}

/** Creates settings for a member who enables a browser before choosing any. */
export async function ensureSettings(tx: Tx, tenant: Tenant): Promise<void> {
  const key = { orgId: tenant.organizationId, userId: tenant.userId };
  await tx
    .insert(notificationSettings)
    .values({ ...key, ...FIRST_SETTINGS })
    .onConflictDoNothing();
}

const settingsJson = ({ draftsPush, draftsMail, troublePush, troubleMail }: SettingsRow): NotificationSettings => ({
  ...{ draftsPush, draftsMail, troublePush, troubleMail },
});
