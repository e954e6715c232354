/**
 * Job that notifies a member of drafts and of stopped channels. It compares the reported state with the current one, so code that creates
 * drafts does not notify. The report is marked before it is sent: a crash may lose a message but never repeats one.
 */
import { and, desc, eq, gt, sql } from "drizzle-orm";
import { findMember } from "#server/accounts/auth/sessions.ts";
import type { Mailer } from "#server/accounts/mail/mail.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { notificationSettings, pushDevices, users } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { listDevices } from "./devices.ts";
import { readPushKeys } from "./push-keys.ts";
import { type SettingsRow, settingsOf } from "./settings.ts";
import { draftsMessage, troubleMessage } from "./texts.ts";
import { type PushMessage, sendPush } from "./web-push/push-service.ts";

export interface NotifyDeps {
  db: Database;
  vault: Vault;
  mailer: Mailer;
  log: Log;
  config: Pick<Config, "publicUrl" | "loopbackAddresses">;
}

type Job = JobData["notify-member"];

/** Delay of a push message, so that drafts created at about the same time are reported together. */
const PUSH_AFTER_MS = 5_000;
/** Delay of a letter: a member at the screen decides before this time and needs none. */
const MAIL_AFTER_MS = 10 * 60_000;
const MAIL_EVERY_MS = 3_600_000;

const ago = (ms: number) => sql`now() - ${ms} * interval '1 millisecond'`;
const draftBetween = (mark: typeof notificationSettings.draftsPushedTo, ms: number) => sql`exists (
  select from ${outbox} where ${outbox.orgId} = ${notificationSettings.orgId} and ${outbox.state} = 'draft'
  and ${outbox.createdAt} > ${mark} and ${outbox.createdAt} <= ${ago(ms)})`;

/** SQL: whether the member of these settings has something to be notified of. */
const DUE = sql`(
  ${notificationSettings.draftsPush} and ${draftBetween(notificationSettings.draftsPushedTo, PUSH_AFTER_MS)}
  or ${notificationSettings.draftsMail} and ${draftBetween(notificationSettings.draftsMailedTo, MAIL_AFTER_MS)}
    and coalesce(${notificationSettings.mailedAt} < ${ago(MAIL_EVERY_MS)}, true)
  or (${notificationSettings.troublePush} or ${notificationSettings.troubleMail}) and exists (
    select from ${integrations} where ${integrations.orgId} = ${notificationSettings.orgId}
    and ${integrations.status} = 'error' and not ${integrations.id} = any(${notificationSettings.toldTrouble}))
)`;

/** Returns the members who have something to be notified of, for the periodic sweep. */
export async function dueMembers(tx: Tx): Promise<Job[]> {
  return tx
    .select({ organizationId: notificationSettings.orgId, userId: notificationSettings.userId })
    .from(notificationSettings)
    .where(DUE)
    .limit(200);
}

export async function notifyMember(deps: NotifyDeps, job: Job): Promise<void> {
  const [settings] = await asTenant(deps.db, job, (tx) =>
    tx.select().from(notificationSettings).where(settingsOf(job)),
  );
  if (settings === undefined) return;
  const member = await findMember(deps.db, job);
  const told = await asTenant(deps.db, job, (tx) => markTold(tx, job, member));
  if (told === null) return;
  if (told.push.length > 0) await push(deps, job.userId, told.push);
  if (told.mail.length > 0) await mail(deps, job.userId, told.mail);
}

interface Telling {
  push: PushMessage[];
  mail: PushMessage[];
}

/** Marks everything as reported, including drafts that the member may not decide on, so that those do not make him due again. */
async function markTold(tx: Tx, job: Job, member: Caller | null): Promise<Telling | null> {
  const [settings] = await tx.select().from(notificationSettings).where(settingsOf(job)).for("update");
  if (settings === undefined) return null;
  const decides = member !== null && member.role !== "viewer";
  const own = member?.role === "user" ? eq(twins.ownerId, job.userId) : undefined;
  const pushed = await waiting(tx, settings, { mark: settings.draftsPushedTo, ms: PUSH_AFTER_MS, own });
  const mailed = await waiting(tx, settings, { mark: settings.draftsMailedTo, ms: MAIL_AFTER_MS, own });
  const stopped = await stoppedChannels(tx, settings.orgId, own);
  const mailIsDue =
    settings.draftsMail && (settings.mailedAt === null || settings.mailedAt.getTime() < Date.now() - MAIL_EVERY_MS);
  const news = stopped.own.filter(({ id }) => !settings.toldTrouble.includes(id));
  const letter = mailIsDue && mailed.fresh > 0;
  await tx
    .update(notificationSettings)
    .set({
      ...(pushed.newest === null ? {} : { draftsPushedTo: pushed.newest }),
      ...(mailed.newest === null || !mailIsDue ? {} : { draftsMailedTo: mailed.newest }),
      ...(letter ? { mailedAt: new Date() } : {}),
      toldTrouble: stopped.all,
    })
    .where(settingsOf(job));
  if (!decides) return null;
  const trouble = news.map((channel) => troubleMessage(channel));
  return {
    push: [
      ...(settings.draftsPush && pushed.fresh > 0 ? [draftsMessage(pushed.all)] : []),
      ...(settings.troublePush ? trouble : []),
    ],
    mail: [...(letter ? [draftsMessage(mailed.all)] : []), ...(settings.troubleMail ? trouble : [])],
  };
}

/**
 * `newest`: the latest draft since the mark, of any twin; `fresh` and `all`: numbers of drafts that the member may decide on, since the
 * mark and in total.
 */
async function waiting(
  tx: Tx,
  { orgId }: SettingsRow,
  { mark, ms, own }: { mark: Date; ms: number; own: ReturnType<typeof eq> | undefined },
): Promise<{ newest: Date | null; fresh: number; all: number }> {
  const drafts = and(eq(outbox.orgId, orgId), eq(outbox.state, "draft"), sql`${outbox.createdAt} <= ${ago(ms)}`);
  const since = gt(outbox.createdAt, mark);
  const [newest] = await tx
    .select({ at: outbox.createdAt })
    .from(outbox)
    .where(and(drafts, since))
    .orderBy(desc(outbox.createdAt))
    .limit(1);
  if (newest === undefined) return { newest: null, fresh: 0, all: 0 };
  const [counted] = await tx
    .select({
      all: sql<number>`count(*)::int`,
      fresh: sql<number>`(count(*) filter (where ${since}))::int`,
    })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(drafts, own));
  return { newest: newest.at, ...counted! };
}

async function stoppedChannels(tx: Tx, orgId: string, own: ReturnType<typeof eq> | undefined) {
  const rows = await tx
    .select({
      id: integrations.id,
      platform: integrations.platform,
      account: integrations.account,
      reason: integrations.statusReason,
      mine: own === undefined ? sql<boolean>`true` : sql<boolean>`(${own})`,
    })
    .from(integrations)
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .where(and(eq(integrations.orgId, orgId), eq(integrations.status, "error")));
  return { all: rows.map(({ id }) => id), own: rows.filter(({ mine }) => mine) };
}

async function push({ db, vault, log, config }: NotifyDeps, userId: string, messages: PushMessage[]): Promise<void> {
  const devices = await listDevices(db, userId);
  if (devices.length === 0) return;
  const sending = {
    ...{ keys: await readPushKeys(db, vault), contact: config.publicUrl, loopback: config.loopbackAddresses },
  };
  for (const device of devices) {
    for (const message of messages) {
      try {
        if ((await sendPush(device, message, sending)) === "sent") continue;
        await db.delete(pushDevices).where(eq(pushDevices.id, device.id));
        break;
      } catch (error) {
        log.warn({ err: error, device: device.id }, "a push message was not taken");
      }
    }
  }
}

async function mail({ db, mailer, log, config }: NotifyDeps, userId: string, news: PushMessage[]): Promise<void> {
  const to = await confirmedAddress(db, userId);
  if (to === null || mailer.way !== "mail") return;
  for (const { title, body, url } of news) {
    const text = `${title}\n${body}\n\n${config.publicUrl}${url}\n\nЧто вам присылать, выбирается здесь: ${config.publicUrl}/account#notifications\n`;
    await mailer.send({ to, subject: title, text }).catch((error: unknown) => {
      log.error({ err: error }, "a letter about waiting work could not be sent");
    });
  }
}

/** Returns the user's address, or null while it is unconfirmed and may belong to a stranger. */
export async function confirmedAddress(db: Tx, userId: string): Promise<string | null> {
  const [user] = await db
    .select({ email: users.email, confirmedAt: users.emailConfirmedAt })
    .from(users)
    .where(eq(users.id, userId));
  return user?.confirmedAt == null ? null : user.email;
}
