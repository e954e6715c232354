/**
 * Job that notifies a member of drafts, of acts that wait for him and of stopped channels. It compares the reported state with the current
 * one, so code that creates them does not notify. The report is marked before it is sent: a crash may lose a message but never repeats one.
 */
import { and, eq, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { findMember } from "#server/accounts/auth/sessions.ts";
import type { Mailer } from "#server/accounts/mail/mail.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { notificationSettings, pushDevices, users } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { listDevices } from "./devices.ts";
import { readPushKeys } from "./push-keys.ts";
import { type SettingsRow, settingsOf } from "./settings.ts";
import { decisionsMessage, troubleMessage } from "./texts.ts";
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
const waitsBetween = (mark: typeof notificationSettings.draftsPushedTo, ms: number) => sql`(exists (
  select from ${outbox} where ${outbox.orgId} = ${notificationSettings.orgId} and ${outbox.state} = 'draft'
  and ${outbox.createdAt} > ${mark} and ${outbox.createdAt} <= ${ago(ms)})
  or exists (select from ${acts} where ${acts.orgId} = ${notificationSettings.orgId} and ${acts.state} = 'waiting-owner'
    and ${acts.contactId} is not null and ${acts.waitsSince} > ${mark} and ${acts.waitsSince} <= ${ago(ms)}))`;

/** SQL: whether the member of these settings has something to be notified of. */
const DUE = sql`(
  ${notificationSettings.draftsPush} and ${waitsBetween(notificationSettings.draftsPushedTo, PUSH_AFTER_MS)}
  or ${notificationSettings.draftsMail} and ${waitsBetween(notificationSettings.draftsMailedTo, MAIL_AFTER_MS)}
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
      ...(settings.draftsPush && pushed.fresh > 0 ? [decisionsMessage(pushed.all)] : []),
      ...(settings.troublePush ? trouble : []),
    ],
    mail: [...(letter ? [decisionsMessage(mailed.all)] : []), ...(settings.troubleMail ? trouble : [])],
  };
}

interface Waiting {
  /** When the latest one began to wait since the mark, of any twin. */
  newest: Date | null;
  /** Those that the member may decide on, since the mark and in total. */
  fresh: number;
  all: number;
}

interface Since {
  mark: Date;
  ms: number;
  own: SQL | undefined;
}

const countsOf = (at: AnyPgColumn, { mark, own = sql`true` }: Since) => ({
  newest: sql<Date | null>`max(${at}) filter (where ${gt(at, mark)})`.mapWith(outbox.createdAt),
  fresh: sql<number>`(count(*) filter (where ${own} and ${gt(at, mark)}))::int`,
  all: sql<number>`(count(*) filter (where ${own}))::int`,
});

async function waitingDrafts(tx: Tx, { orgId }: SettingsRow, since: Since): Promise<Waiting> {
  const [counted] = await tx
    .select(countsOf(outbox.createdAt, since))
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(eq(outbox.orgId, orgId), eq(outbox.state, "draft"), sql`${outbox.createdAt} <= ${ago(since.ms)}`));
  return counted!;
}

/** Acts of contacts: who tries a tool himself sees its act. */
async function waitingActs(tx: Tx, { orgId }: SettingsRow, since: Since): Promise<Waiting> {
  const isDue = sql`${acts.waitsSince} <= ${ago(since.ms)}`;
  const [counted] = await tx
    .select(countsOf(acts.waitsSince, since))
    .from(acts)
    .innerJoin(twins, eq(twins.id, acts.twinId))
    .where(and(eq(acts.orgId, orgId), eq(acts.state, "waiting-owner"), isNotNull(acts.contactId), isDue));
  return counted!;
}

async function waiting(tx: Tx, settings: SettingsRow, since: Since) {
  const [answers, ofActs] = [await waitingDrafts(tx, settings, since), await waitingActs(tx, settings, since)];
  const newest = [answers.newest, ofActs.newest]
    .flatMap((at) => at ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime());
  return {
    newest: newest[0] ?? null,
    fresh: answers.fresh + ofActs.fresh,
    all: { answers: answers.all, acts: ofActs.all },
  };
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
