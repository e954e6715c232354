/** Mounts the endpoints of sign-in, sign-out, registration, one-time links and the public configuration. */
import { and, eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { authApi, type PublicConfig, platformApi, type TelegramLoginInput } from "#contract/organizations/auth.ts";
import { registrationApi } from "#contract/organizations/registration.ts";
import { forgetSignInTries, takeSignInTry } from "#server/accounts/credentials/login-limit.ts";
import { afterResponses } from "#server/accounts/mail/after-response.ts";
import { giveLetterBack } from "#server/accounts/mail/letter-limit.ts";
import { confirmationLetter, resetLetter } from "#server/accounts/mail/letters.ts";
import type { Mailer } from "#server/accounts/mail/mail.ts";
import { createNoticeSender } from "#server/accounts/mail/notices.ts";
import type { Config } from "#server/platform/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { Problem, unauthorized, upstream } from "#server/platform/errors.ts";
import type { FileStore } from "#server/platform/files/file-store.ts";
import { PRODUCT_VERSION } from "#server/platform/http/product-version.ts";
import { route } from "#server/platform/http/route.ts";
import type { Log } from "#server/platform/log.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { mountAccountRoutes } from "./account/routes.ts";
import { findMember, membershipOf, telegramAccount } from "./accounts.ts";
import { audit } from "./audit.ts";
import { clearSessionCookie, isBrowser } from "./caller.ts";
import { recordConsent, requireConsent } from "./consent/consent.ts";
import { acceptDemoToken, demoAccount } from "./demo/demo-login.ts";
import {
  checkPassword,
  confirmEmail,
  register,
  requestConfirmation,
  requestReset,
  resetPassword,
} from "./email-account.ts";
import { mountInstallationRoutes } from "./installation/routes.ts";
import { isKnownDevice } from "./known-devices.ts";
import { endLinks } from "./one-time-links.ts";
import { passkeyHost } from "./passkeys/ceremony.ts";
import { mountSecondStep } from "./second-factor-routes.ts";
import { endSession } from "./sessions.ts";
import { placeOf, signIn, signInOrAsk } from "./sign-in.ts";
import { telegramIdentity } from "./telegram/telegram-login.ts";
import { type UserRow, userJson } from "./user-json.ts";

interface Deps {
  db: Database;
  config: Config;
  files: FileStore;
  log: Log;
  mailer: Mailer;
  vault: Vault;
}

/** Limits per client address; login-limit.ts counts the tries of one account. */
const LIMITS = {
  telegram: { max: 30, timeWindow: "1 minute" },
  login: { max: 60, timeWindow: "1 minute" },
  register: { max: 20, timeWindow: "1 hour" },
  letters: { max: 10, timeWindow: "15 minutes" },
  links: { max: 30, timeWindow: "15 minutes" },
};

const DONE = { success: true } as const;

export function mountAuthRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, config } = deps;
  const afterAnswer = afterResponses(app, deps.log);
  const tell = createNoticeSender(app, deps);
  const entering = { config, tell };

  const publicConfig = (): PublicConfig => ({
    demo: config.demo,
    letters: deps.mailer.way,
    telegramBot: config.telegramBot?.name ?? null,
    engine: config.llm === null && !config.modelFiles?.generator ? "embedded" : "llm",
    version: PRODUCT_VERSION,
    passkeyHost: passkeyHost(config),
    operator: config.operator,
  });
  route(app, platformApi.config, publicConfig);
  mountInstallationRoutes(app, deps);

  route(app, authApi.verify, async ({ caller }) => {
    const member = await findMember(db, caller.userId, caller.organizationId);
    if (member === null) throw unauthorized();
    return { user: userJson(member.user, member.membership, config) };
  });

  const accountOf = telegramAccounts(app, deps);
  route(
    app,
    authApi.telegram,
    async ({ input, request, reply }) => {
      const user = await accountOf(input, request.ip);
      const membership = await membershipOf(db, user.id);
      return db.transaction((tx) => signInOrAsk(entering, { request, reply }, tx, user, membership, "telegram"));
    },
    { rateLimit: LIMITS.telegram },
  );

  route(
    app,
    authApi.login,
    async ({ input, request, reply }) => {
      const { email } = input;
      const knownDevice = await isKnownDevice(db, email, request);
      const tried = { email, ip: request.ip, knownDevice };
      await takeSignInTry(db, tried);
      const user = await checkPassword(db, email, input.password, request.ip);
      await forgetSignInTries(db, tried);
      const membership = await membershipOf(db, user.id);
      return db.transaction(async (tx) => {
        // If a reset changes the password and ends all sessions while this password is being checked, the sign-in must fail.
        const [same] = await tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash!)))
          .for("share");
        if (same === undefined) throw unauthorized("Неверный email или пароль", "wrong_credentials");
        return signInOrAsk(entering, { request, reply }, tx, user, membership, "email");
      });
    },
    { rateLimit: LIMITS.login },
  );

  route(
    app,
    registrationApi.register,
    async ({ input, request, reply }) => {
      requireConsent(input.consent, isBrowser(request));
      const { user, membership, confirmToken } = await register(db, input);
      if (confirmToken !== null) {
        afterAnswer("confirmation letter", () =>
          deps.mailer.send(confirmationLetter(input.email, config.publicUrl, confirmToken)),
        );
      }
      const signedIn = await db.transaction(async (tx) => {
        if (input.consent === undefined) return signIn(entering, { request, reply }, tx, user, membership, "email");
        await recordConsent(tx, user.id, request.ip);
        const agreed = { ...user, consentVersion: input.consent };
        return signIn(entering, { request, reply }, tx, agreed, membership, "email");
      });
      return { ...signedIn, letter: deps.mailer.way };
    },
    { rateLimit: LIMITS.register },
  );

  route(
    app,
    registrationApi.forgot,
    ({ input, request }) => {
      afterAnswer("reset letter", async () => {
        const asked = await requestReset(db, input.email, request.ip);
        if (asked === null) return;
        await deps.mailer.send(resetLetter(input.email, config.publicUrl, asked.token, asked.startsClean));
      });
      return { ...DONE, letter: deps.mailer.way };
    },
    { rateLimit: LIMITS.letters },
  );

  route(
    app,
    registrationApi.resendConfirmation,
    async ({ caller: { userId }, request }) => {
      const { email, token, letterId } = await requestConfirmation(db, userId, request.ip);
      try {
        await deps.mailer.send(confirmationLetter(email, config.publicUrl, token));
      } catch (cause) {
        // Ends the link and uncounts the letter: one that was not sent must not delay the next one.
        await endLinks(db, userId, "confirm-email");
        await giveLetterBack(db, letterId);
        throw upstream("mail_failed", "Письмо сейчас отправить нельзя. Попробуйте позже.", { cause });
      }
      return { ...DONE, letter: deps.mailer.way };
    },
    { rateLimit: LIMITS.letters },
  );

  route(
    app,
    registrationApi.reset,
    async ({ input, request, reply }) => {
      const { userId, startedClean } = await resetPassword(deps, input);
      await tell(db, userId, { kind: "password-reset", detail: placeOf(request) });
      clearSessionCookie(reply, config.publicUrl);
      return { ...DONE, startedClean };
    },
    { rateLimit: LIMITS.links },
  );

  route(
    app,
    registrationApi.confirm,
    async ({ input, caller }) => {
      await confirmEmail(db, config, input.token, caller?.userId ?? null);
      return DONE;
    },
    { rateLimit: LIMITS.links },
  );

  route(app, authApi.logout, async ({ caller, reply }) => {
    await endSession(db, caller.sessionId);
    await audit(db, { action: "logout", userId: caller.userId, organizationId: caller.organizationId });
    clearSessionCookie(reply, config.publicUrl);
    return DONE;
  });

  mountSecondStep(app, { ...deps, tell });
  mountAccountRoutes(app, deps, tell);
}

/** Returns the function that finds the account of a messenger's payload. The demo branch exists in demo mode only. */
function telegramAccounts(app: FastifyInstance, deps: Deps) {
  const { db, config } = deps;
  const signed = async (payload: TelegramLoginInput, ip: string): Promise<UserRow> => {
    if (config.telegramBot === null) {
      throw unauthorized("Войти через Telegram сейчас нельзя. Войдите по email.", "telegram_not_configured");
    }
    try {
      return await telegramAccount(db, await telegramIdentity(db, payload, config.telegramBot.token));
    } catch (error) {
      if (error instanceof Problem) {
        await audit(db, { action: "sign-in-failed", detail: { method: "telegram", ip, reason: error.code } });
      }
      throw error;
    }
  };
  if (!config.demo) return signed;
  acceptDemoToken(app, deps);
  return async (payload: TelegramLoginInput, ip: string) =>
    (await demoAccount(deps, payload)) ?? (await signed(payload, ip));
}
