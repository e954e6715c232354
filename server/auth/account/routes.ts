/** Mounts the calls of «Безопасность аккаунта». */
import type { FastifyInstance } from "fastify";
import { accountApi as api } from "#contract/account.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { forbidden } from "#server/errors.ts";
import { on } from "#server/http.ts";
import type { Log } from "#server/log.ts";
import type { Vault } from "#server/vault.ts";
import { findMember } from "../accounts.ts";
import { audit } from "../audit.ts";
import { listConsents, recordConsent, requireConsent } from "../consent/consent.ts";
import type { Mailer } from "../mail.ts";
import { listNotices, markNoticesSeen, type Tell } from "../notices/notices.ts";
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
  beginTotp,
  disableTotp,
  enableTotp,
  newRecoveryCodes,
  takeCode,
  totpState,
} from "../second-factor/second-factor.ts";
import { placeOf } from "../second-factor/sign-in.ts";
import { userJson } from "../user-json.ts";
import { clearSessionCookie } from "../viewer.ts";
import { changePassword } from "./change-password.ts";
import { changeableUser, confirmAgain, freshUser, isChangeable, isFresh, sessionBinding, userOf } from "./fresh.ts";
import { endOwnSession, endOwnSessions, listSessions } from "./own-sessions.ts";

export interface AccountDeps {
  db: Database;
  config: Config;
  log: Log;
  mailer: Mailer;
  vault: Vault;
}

/** Per client address. */
const CONFIRMATIONS = { max: 30, timeWindow: "1 minute" };
const DONE = { success: true } as const;

export function mountAccountRoutes(app: FastifyInstance, deps: AccountDeps, tell: Tell): void {
  const { db, config, vault } = deps;

  on(app, api.security, async ({ viewer }) => {
    const user = await userOf(db, viewer);
    const totp = await totpState(db, user.id);
    return {
      email: user.email,
      emailConfirmed: user.emailConfirmedAt !== null,
      hasPassword: user.passwordHash !== null,
      changeable: isChangeable(user, viewer, config),
      fresh: await isFresh(db, viewer),
      totp: { ...totp, enabledAt: totp.enabledAt?.toISOString() ?? null },
      passkeys: (await listPasskeys(db, user.id)).map(toPasskey),
      mail: deps.mailer.way === "mail",
      consents: await listConsents(db, user.id),
    };
  });

  on(
    app,
    api.confirm,
    async ({ viewer, input }) => {
      await confirmAgain(deps, viewer, input);
      return DONE;
    },
    { rateLimit: CONFIRMATIONS, secretAnswer: true },
  );
  on(
    app,
    api.confirmOptions,
    async ({ viewer }) => {
      const user = await changeableUser(deps, viewer);
      return { ...(await beginAsserting(deps, "passkey-confirm", sessionBinding(viewer), user.id)) };
    },
    { rateLimit: CONFIRMATIONS, secretAnswer: true },
  );
  on(
    app,
    api.password,
    async ({ viewer, input, request }) => {
      await changePassword({ db, config, tell }, viewer, input, placeOf(request));
      return DONE;
    },
    { rateLimit: CONFIRMATIONS, secretAnswer: true },
  );

  mountSecondFactor();
  mountPasskeys();
  mountSessions();

  on(app, api.notices, ({ viewer }) => listNotices(db, viewer.userId));
  on(app, api.noticesSeen, async ({ viewer }) => {
    await markNoticesSeen(db, viewer.userId);
    return DONE;
  });
  on(app, api.consent, async ({ viewer, input, request }) => {
    requireConsent(input.version, true);
    await db.transaction((tx) => recordConsent(tx, viewer.userId, request.ip));
    const member = await findMember(db, viewer.userId, viewer.organizationId);
    return { user: userJson(member!.user, member!.membership, config) };
  });

  function mountSecondFactor(): void {
    on(
      app,
      api.totp,
      async ({ viewer }) => {
        const user = await freshUser(deps, viewer);
        return beginTotp(db, vault, { id: user.id, account: accountName(user) });
      },
      { secretAnswer: true },
    );
    on(
      app,
      api.totpConfirm,
      async ({ viewer, input, request }) => {
        const user = await freshUser(deps, viewer);
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
    on(app, api.totpOff, async ({ viewer, request }) => {
      const user = await freshUser(deps, viewer);
      await db.transaction(async (tx) => {
        if (!(await disableTotp(tx, user.id))) return;
        await audit(tx, { action: "second-factor-off", userId: user.id });
        await tell(tx, user.id, { kind: "second-factor-off", detail: placeOf(request) });
      });
    });
    on(
      app,
      api.recoveryCodes,
      async ({ viewer, request }) => {
        const user = await freshUser(deps, viewer);
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
    on(
      app,
      api.passkeyOptions,
      async ({ viewer }) => {
        const user = await freshUser(deps, viewer);
        const shown = { id: user.id, account: accountName(user), name: `${user.firstName} ${user.lastName}`.trim() };
        return { ...(await beginAdding(deps, shown, sessionBinding(viewer))) };
      },
      { secretAnswer: true },
    );
    on(app, api.passkeyAdd, async ({ viewer, input, request }) => {
      const user = await freshUser(deps, viewer);
      const row = await addPasskey(deps, user.id, sessionBinding(viewer), input);
      await audit(db, { action: "passkey-added", userId: user.id, subject: row.id });
      await tell(db, user.id, { kind: "passkey-added", detail: placeOf(request) });
      return toPasskey(row);
    });
    on(app, api.passkeyRename, async ({ viewer, params, input }) => {
      const user = await changeableUser(deps, viewer);
      const row = await renamePasskey(db, user.id, params.id, input.name);
      await audit(db, { action: "passkey-renamed", userId: user.id, subject: row.id });
      return toPasskey(row);
    });
    on(app, api.passkeyRemove, async ({ viewer, params, request }) => {
      const user = await freshUser(deps, viewer);
      await db.transaction(async (tx) => {
        await removePasskey(tx, user.id, params.id);
        await audit(tx, { action: "passkey-removed", userId: user.id, subject: params.id });
        await tell(tx, user.id, { kind: "passkey-removed", detail: placeOf(request) });
      });
    });
  }

  function mountSessions(): void {
    on(app, api.sessions, ({ viewer }) => listSessions(db, viewer));
    on(app, api.sessionEnd, async ({ viewer, params }) => {
      await endOwnSession(db, viewer, params.id);
      await audit(db, { action: "session-ended", userId: viewer.userId, subject: params.id });
    });
    on(app, api.sessionsEnd, async ({ viewer, input, reply }) => {
      const ended = await endOwnSessions(db, viewer, input.current);
      await audit(db, { action: "sessions-ended", userId: viewer.userId, detail: { ended, current: input.current } });
      if (input.current) clearSessionCookie(reply, config.publicUrl);
      return { ended };
    });
  }
}

/** What an app with codes and a key's own window call the account. */
const accountName = (user: { email: string | null; telegramUsername: string | null; firstName: string }): string =>
  user.email ?? (user.telegramUsername === null ? user.firstName || "Telegram" : `@${user.telegramUsername}`);
