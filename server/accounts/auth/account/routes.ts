import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { accountApi as api } from "#contract/organizations/account.ts";
import type { Mailer } from "#server/accounts/mail/mail.ts";
import { listNotices, markNoticesSeen, type SendNotice } from "#server/accounts/mail/notices.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { conflict, forbidden } from "#server/platform/errors.ts";
import { route } from "#server/platform/http/route.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { findMember } from "../accounts.ts";
import { audit } from "../audit.ts";
import { clearSessionCookie, isBrowser } from "../caller.ts";
import { listConsents, recordConsent, requireConsent } from "../consent/consent.ts";
import {
  addPasskey,
  beginAdding,
  beginAsserting,
  listPasskeys,
  removePasskey,
  renamePasskey,
  toPasskey,
} from "../passkeys/passkeys.ts";
import {
  changeableUser,
  isChangeable,
  isRecentlyConfirmed,
  reauthenticate,
  recentlyConfirmedUser,
  sessionBinding,
  userOf,
} from "../reauthentication.ts";
import {
  beginTotp,
  disableTotp,
  enableTotp,
  newRecoveryCodes,
  takeCode,
  totpState,
} from "../second-factor/second-factor.ts";
import { placeOf } from "../sign-in.ts";
import { userJson } from "../user-json.ts";
import { changePassword } from "./change-password.ts";
import { endOwnSession, endOwnSessions, listSessions } from "./own-sessions.ts";

interface AccountDeps {
  db: Database;
  config: Config;
  log: Log;
  mailer: Mailer;
  vault: Vault;
}

/** Limit per client address. */
const CONFIRMATIONS = { max: 30, timeWindow: "1 minute" };
const DONE = { success: true } as const;

export function mountAccountRoutes(app: FastifyInstance, deps: AccountDeps, tell: SendNotice): void {
  const { db, config, vault } = deps;

  route(app, api.security, async ({ caller }) => {
    const user = await userOf(db, caller);
    const totp = await totpState(db, user.id);
    return {
      email: user.email,
      emailConfirmed: user.emailConfirmedAt !== null,
      hasPassword: user.passwordHash !== null,
      changeable: isChangeable(user, caller, config),
      fresh: await isRecentlyConfirmed(db, caller),
      totp: { ...totp, enabledAt: totp.enabledAt?.toISOString() ?? null },
      passkeys: (await listPasskeys(db, user.id)).map(toPasskey),
      mail: deps.mailer.way === "mail",
      consents: await listConsents(db, user.id),
    };
  });

  route(
    app,
    api.confirm,
    async ({ caller, input }) => {
      await reauthenticate(deps, caller, input);
      return DONE;
    },
    { rateLimit: CONFIRMATIONS, secretAnswer: true },
  );
  route(
    app,
    api.confirmOptions,
    async ({ caller }) => {
      const user = await changeableUser(deps, caller);
      return { ...(await beginAsserting(deps, "passkey-confirm", sessionBinding(caller), user.id)) };
    },
    { rateLimit: CONFIRMATIONS, secretAnswer: true },
  );
  route(
    app,
    api.password,
    async ({ caller, input, request }) => {
      await changePassword({ db, config, tell }, caller, input, placeOf(request));
      return DONE;
    },
    { rateLimit: CONFIRMATIONS, secretAnswer: true },
  );

  mountSecondFactor();
  mountPasskeys();
  mountSessions();

  route(app, api.profile, async ({ caller, input }) => {
    const user = await changeableUser(deps, caller);
    if (user.authMethod === "telegram")
      throw conflict("name_of_telegram", "Имя берётся из Telegram и обновляется при входе: измените его там");
    await db.update(users).set(input).where(eq(users.id, user.id));
    const member = await findMember(db, caller.userId, caller.organizationId);
    return { user: userJson(member!.user, member!.membership, config) };
  });
  route(app, api.notices, ({ caller }) => listNotices(db, caller.userId));
  route(app, api.noticesSeen, async ({ caller }) => {
    await markNoticesSeen(db, caller.userId);
    return DONE;
  });
  route(app, api.consent, async ({ caller, input, request }) => {
    requireConsent(input.version, true);
    await db.transaction((tx) => recordConsent(tx, caller.userId, request.ip));
    const member = await findMember(db, caller.userId, caller.organizationId);
    return { user: userJson(member!.user, member!.membership, config) };
  });

  function mountSecondFactor(): void {
    route(
      app,
      api.totp,
      async ({ caller }) => {
        const user = await recentlyConfirmedUser(deps, caller);
        return beginTotp(db, vault, { id: user.id, account: accountName(user) });
      },
      { secretAnswer: true },
    );
    route(
      app,
      api.totpConfirm,
      async ({ caller, input, request }) => {
        const user = await recentlyConfirmedUser(deps, caller);
        if (!(await takeCode(db, vault, user.id, input.code, "waiting"))) throw forbidden("wrong_code", "Неверный код");
        return db.transaction(async (tx) => {
          const recoveryCodes = await enableTotp(tx, user.id);
          await audit(tx, { action: "second-factor-on", userId: user.id });
          await tell(tx, user.id, { kind: "second-factor-on", detail: placeOf(request) });
          return { recoveryCodes };
        });
      },
      { rateLimit: CONFIRMATIONS, secretAnswer: true },
    );
    route(app, api.totpOff, async ({ caller, request }) => {
      const user = await recentlyConfirmedUser(deps, caller);
      await db.transaction(async (tx) => {
        if (!(await disableTotp(tx, user.id))) return;
        await audit(tx, { action: "second-factor-off", userId: user.id });
        await tell(tx, user.id, { kind: "second-factor-off", detail: placeOf(request) });
      });
    });
    route(
      app,
      api.recoveryCodes,
      async ({ caller, request }) => {
        const user = await recentlyConfirmedUser(deps, caller);
        return db.transaction(async (tx) => {
          const recoveryCodes = await newRecoveryCodes(tx, user.id);
          await audit(tx, { action: "recovery-codes-made", userId: user.id });
          await tell(tx, user.id, { kind: "recovery-codes-made", detail: placeOf(request) });
          return { recoveryCodes };
        });
      },
      { secretAnswer: true },
    );
  }

  function mountPasskeys(): void {
    route(
      app,
      api.passkeyOptions,
      async ({ caller }) => {
        const user = await recentlyConfirmedUser(deps, caller);
        const shown = { id: user.id, account: accountName(user), name: `${user.firstName} ${user.lastName}`.trim() };
        return { ...(await beginAdding(deps, shown, sessionBinding(caller))) };
      },
      { secretAnswer: true },
    );
    route(app, api.passkeyAdd, async ({ caller, input, request }) => {
      const user = await recentlyConfirmedUser(deps, caller);
      const row = await addPasskey(deps, user.id, sessionBinding(caller), input);
      await audit(db, { action: "passkey-added", userId: user.id, subject: row.id });
      await tell(db, user.id, { kind: "passkey-added", detail: placeOf(request) });
      return toPasskey(row);
    });
    route(app, api.passkeyRename, async ({ caller, params, input }) => {
      const user = await changeableUser(deps, caller);
      const row = await renamePasskey(db, user.id, params.id, input.name);
      await audit(db, { action: "passkey-renamed", userId: user.id, subject: row.id });
      return toPasskey(row);
    });
    route(app, api.passkeyRemove, async ({ caller, params, request }) => {
      const user = await recentlyConfirmedUser(deps, caller);
      await db.transaction(async (tx) => {
        await removePasskey(tx, user.id, params.id);
        await audit(tx, { action: "passkey-removed", userId: user.id, subject: params.id });
        await tell(tx, user.id, { kind: "passkey-removed", detail: placeOf(request) });
      });
    });
  }

  function mountSessions(): void {
    route(app, api.sessions, ({ caller, request }) =>
      listSessions(db, caller, isBrowser(request) ? placeOf(request).device : null),
    );
    route(app, api.sessionEnd, async ({ caller, params }) => {
      await endOwnSession(db, caller, params.id);
      await audit(db, { action: "session-ended", userId: caller.userId, subject: params.id });
    });
    route(app, api.sessionsEnd, async ({ caller, input, reply }) => {
      const ended = await endOwnSessions(db, caller, input.current);
      await audit(db, { action: "sessions-ended", userId: caller.userId, detail: { ended, current: input.current } });
      if (input.current) clearSessionCookie(reply, config.publicUrl);
      return { ended };
    });
  }
}

/** The account's name in an authenticator app and in the browser's passkey window. */
const accountName = (user: { email: string | null; telegramUsername: string | null; firstName: string }): string =>
  user.email ?? (user.telegramUsername === null ? user.firstName || "Telegram" : `@${user.telegramUsername}`);
