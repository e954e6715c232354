/**
 * An invitation is a letter with a link. No account or membership changes until the link is followed. So an invitation does not reveal
 * whether an account exists, does not reserve an address and makes no person a member against their will.
 */
import { and, count, desc, eq, gt, lte, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import type { InvitationView, InviteInput, Member } from "#contract/organizations/organizations.ts";
import { findUserByEmail, type Membership } from "#server/accounts/auth/accounts.ts";
import { audit, maskedEmail } from "#server/accounts/auth/audit.ts";
import { checkPassword } from "#server/accounts/auth/email-account.ts";
import { hashToken, newToken } from "#server/accounts/auth/sessions.ts";
import { isConfirmed } from "#server/accounts/auth/super-admin.ts";
import { replaceUnconfirmedAccount } from "#server/accounts/auth/unconfirmed-account.ts";
import type { UserRow } from "#server/accounts/auth/user-json.ts";
import { forgetSignInTries, takeSignInTry } from "#server/accounts/credentials/login-limit.ts";
import { requireGoodPassword } from "#server/accounts/credentials/password-rules.ts";
import { hashPassword } from "#server/accounts/credentials/passwords.ts";
import { requireLetter } from "#server/accounts/mail/letter-limit.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { invitations, memberships, organizations, users } from "#server/platform/db/schema/accounts.ts";
import { conflict, forbidden, invalid, Problem, tooMany } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { removeFiles } from "#server/platform/files/stored-files.ts";
import type { Log } from "#server/platform/log.ts";
import { lockOrganization, searchPattern } from "./platform-rows.ts";

const INVITATION_MS = 7 * 24 * 60 * 60_000;
/** Pause between two letters to one address, so that no one floods a mailbox. */
const LETTER_PAUSE_MS = 60_000;
/** Maximum number of open invitations, so that no organisation floods many mailboxes. */
export const MAX_INVITED = 100;

type InvitationRow = typeof invitations.$inferSelect;

/** Lists the newest first. */
export async function listInvitations(db: Database, orgId: string, q: string): Promise<Member[]> {
  const about = sql`concat_ws(' ', ${invitations.firstName}, ${invitations.lastName}, ${invitations.email})`;
  const rows = await db
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.orgId, orgId),
        gt(invitations.expiresAt, new Date()),
        q.trim() === "" ? undefined : sql`${about} ilike ${searchPattern(q)}`,
      ),
    )
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
  return rows.map(toInvited);
}

/**
 * Creates an invitation and the token of its letter; an earlier invitation to the same address becomes invalid.
 * @throws Problem 409 for a present member or too many invitations, 429 when a letter was sent a moment ago
 */
export async function invite(
  tx: Tx,
  acting: { userId: string; organizationId: string },
  input: z.output<typeof InviteInput>,
): Promise<{ member: Member; token: string }> {
  const orgId = acting.organizationId;
  const now = Date.now();
  await lockOrganization(tx, orgId);
  const [present] = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.orgId, orgId), eq(users.email, input.email)));
  if (present !== undefined) throw conflict("already_member", "Этот человек уже состоит в организации");
  await tx.delete(invitations).where(and(eq(invitations.orgId, orgId), lte(invitations.expiresAt, new Date(now))));
  const [earlier] = await tx
    .delete(invitations)
    .where(and(eq(invitations.orgId, orgId), eq(invitations.email, input.email)))
    .returning({ createdAt: invitations.createdAt });
  const waitMs = earlier === undefined ? 0 : earlier.createdAt.getTime() + LETTER_PAUSE_MS - now;
  if (waitMs > 0) {
    throw tooMany("invitation_just_sent", "Приглашение отправлено только что. Повторите через минуту.", {
      retryAfter: waitMs / 1000,
    });
  }
  const [open] = await tx.select({ count: count() }).from(invitations).where(eq(invitations.orgId, orgId));
  if (open!.count >= MAX_INVITED) {
    throw conflict("too_many_invited", "Слишком много приглашений ждут ответа. Отзовите лишние и повторите.");
  }
  await requireLetter(tx, { kind: "invitation", to: input.email, ...acting });
  const token = newToken();
  const [row] = await tx
    .insert(invitations)
    .values({ ...input, orgId, tokenHash: hashToken(token), expiresAt: new Date(now + INVITATION_MS) })
    .returning();
  const { email, role } = input;
  await audit(tx, { action: "invitation", ...acting, subject: maskedEmail(email), detail: { role } });
  return { member: toInvited(row!), token };
}

/** Returns the data for the page behind the link. @throws Problem 400 for an invalid link */
export async function lookAtInvitation(db: Database, token: string): Promise<InvitationView> {
  const { invitation, organizationName } = await findInvitation(db, token);
  const { email, firstName, role } = invitation;
  const account = await findUserByEmail(db, email);
  const mayStartClean = account !== null && !isConfirmed(account);
  return { email, firstName, role, organizationName, hasAccount: account !== null, mayStartClean };
}

/** Signs in the new member, in the transaction that creates the membership. */
type Enter<Entered> = (tx: Tx, user: UserRow, membership: Membership) => Promise<Entered>;

/**
 * Makes the owner of the mailbox a member and signs them in. A new user gets an account with `password`; an existing user proves the
 * account by its password or by being signed in; an unconfirmed account may also be replaced.
 * @throws Problem 400 for an invalid link or a missing password, 403 for a wrong one, 429 after five of them
 */
export async function acceptInvitation<Entered>(
  {
    db,
    config,
    files: store,
    log,
  }: { db: Database; config: Pick<Config, "superAdminEmail">; files: FileStore; log: Log },
  input: { token: string; password?: string | undefined; startClean?: boolean | undefined },
  caller: { userId: string | null; ip: string },
  enter: Enter<Entered>,
): Promise<Entered> {
  const { email, firstName, lastName } = (await findInvitation(db, input.token)).invitation;
  const account = await findUserByEmail(db, email);
  const newPassword = async () => {
    const password = passwordOf(input);
    await requireGoodPassword(password, { email, firstName, lastName });
    return hashPassword(password);
  };
  if (account === null) {
    const passwordHash = await newPassword();
    return db.transaction(async (tx) => {
      const invitation = await takeInvitation(tx, input.token);
      const [user] = await tx
        .insert(users)
        .values({
          authMethod: "email",
          email,
          firstName: invitation.firstName,
          lastName: invitation.lastName,
          passwordHash,
          // The letter's link proves that the user reads this mailbox.
          emailConfirmedAt: new Date(),
          superAdmin: email === config.superAdminEmail,
        })
        .onConflictDoNothing()
        .returning();
      if (user === undefined) {
        throw conflict("email_taken", "Этот email только что зарегистрирован. Откройте ссылку ещё раз.");
      }
      return enter(tx, user, await join(tx, user, invitation));
    });
  }
  if (input.startClean === true && !isConfirmed(account)) {
    const passwordHash = await newPassword();
    const { files, entered } = await db.transaction(async (tx) => {
      const invitation = await takeInvitation(tx, input.token);
      const [held] = await tx.select().from(users).where(eq(users.id, account.id)).for("update");
      if (held === undefined || isConfirmed(held)) throw linkInvalid();
      const superAdmin = email === config.superAdminEmail;
      const owner = { passwordHash, superAdmin, firstName, lastName };
      const { user, files } = await replaceUnconfirmedAccount(tx, { ...held, email }, owner);
      return { files, entered: await enter(tx, user, await join(tx, user, invitation)) };
    });
    await removeFiles({ files: store, log }, files);
    return entered;
  }
  if (account.id !== caller.userId) {
    const tried = { email, ip: caller.ip, knownDevice: false };
    const password = passwordOf(input);
    await takeSignInTry(db, tried);
    await checkPassword(db, email, password, caller.ip).catch((error: unknown) => {
      throw error instanceof Problem && error.status === 401 ? wrongPassword() : error;
    });
    await forgetSignInTries(db, tried);
  }
  return db.transaction(async (tx) => {
    const invitation = await takeInvitation(tx, input.token);
    // If the password was changed while the old one was being checked, the sign-in must fail.
    const [user] = await tx
      .update(users)
      .set({ emailConfirmedAt: account.emailConfirmedAt ?? new Date() })
      .where(and(eq(users.id, account.id), sql`${users.passwordHash} is not distinct from ${account.passwordHash}`))
      .returning();
    if (user === undefined) throw wrongPassword();
    return enter(tx, user, await join(tx, user, invitation));
  });
}

/** Not 401: the caller may be signed in to another account, and the web app would end that session. */
const wrongPassword = () => forbidden("wrong_password", "Неверный пароль");

function passwordOf({ password }: { password?: string | undefined }): string {
  if (password !== undefined) return password;
  throw invalid("invalid_input", "Введите пароль", { fields: { password: "Введите пароль" } });
}

const linkInvalid = () => invalid("link_invalid", "Ссылка недействительна или устарела");
const holds = (token: string) =>
  and(eq(invitations.tokenHash, hashToken(token)), gt(invitations.expiresAt, new Date()));

async function findInvitation(db: Tx, token: string) {
  const [row] = await db
    .select({ invitation: invitations, organizationName: organizations.name })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.orgId))
    .where(holds(token));
  if (row === undefined) throw linkInvalid();
  return row;
}

/** Uses up the link; of two simultaneous uses one succeeds. */
async function takeInvitation(tx: Tx, token: string): Promise<InvitationRow> {
  const [row] = await tx.delete(invitations).where(holds(token)).returning();
  if (row === undefined) throw linkInvalid();
  return row;
}

/** Adds a membership; an existing member keeps the role, so an old invitation changes nothing. */
async function join(tx: Tx, user: UserRow, { orgId, role }: InvitationRow): Promise<Membership> {
  await tx.insert(memberships).values({ orgId, userId: user.id, role }).onConflictDoNothing();
  const [membership] = await tx
    .select({ organizationId: memberships.orgId, role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.orgId, orgId), eq(memberships.userId, user.id)));
  await audit(tx, { action: "invitation-accepted", userId: user.id, organizationId: orgId, detail: { role } });
  return membership!;
}

export function toInvited({ id, email, firstName, lastName, role, createdAt }: InvitationRow): Member {
  return {
    id,
    email,
    firstName,
    lastName,
    username: null,
    role,
    status: "invited",
    twins: 0,
    createdAt: createdAt.toISOString(),
  };
}
