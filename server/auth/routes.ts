/** Mounts signing in and out, registration, the one-time links and the public configuration. */
import { readFileSync } from "node:fs";
import { and, eq } from "drizzle-orm";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authApi, type PublicConfig, platformApi, type SignInResult, type TelegramLoginInput } from "#contract/auth.ts";
import type { Config } from "#server/config.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { users } from "#server/db/schema.ts";
import { Problem, unauthorized, upstream } from "#server/errors.ts";
import { on } from "#server/http.ts";
import type { Log } from "#server/log.ts";
import { findMember, type Membership, membershipOf, telegramAccount } from "./accounts.ts";
import { afterAnswers } from "./after-answer.ts";
import { audit } from "./audit.ts";
import { acceptDemoToken, demoAccount } from "./demo-login.ts";
import {
  checkPassword,
  confirmEmail,
  register,
  requestConfirmation,
  requestReset,
  resetPassword,
} from "./email-account.ts";
import { confirmationLetter, resetLetter } from "./letters.ts";
import { forgetTries, letterKey, takeTry, tryKey } from "./login-limit.ts";
import type { Mailer } from "./mail.ts";
import { endLinks } from "./one-time-links.ts";
import { createSession, endSession } from "./sessions.ts";
import { telegramIdentity } from "./telegram-login.ts";
import { type UserRow, userJson } from "./user-json.ts";
import { clearSessionCookie, isBrowser, setSessionCookie } from "./viewer.ts";

interface Deps {
  db: Database;
  config: Config;
  log: Log;
  mailer: Mailer;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Per client address; the tries of one account are counted in login-limit.ts. */
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
  const afterAnswer = afterAnswers(app, deps.log);

  const publicConfig = (): PublicConfig => ({
    demo: config.demo,
    letters: deps.mailer.way,
    telegramBot: config.telegramBot?.name ?? null,
    engine: config.llm === null ? "embedded" : "llm",
    version,
  });
  on(app, platformApi.config, publicConfig);

  on(app, authApi.verify, async ({ viewer }) => {
    const member = await findMember(db, viewer.userId, viewer.organizationId);
    if (member === null) throw unauthorized();
    return { user: userJson(member.user, member.membership) };
  });

  const accountOf = telegramAccounts(app, deps);
  on(
    app,
    authApi.telegram,
    async ({ input, request, reply }) => {
      const user = await accountOf(input, request.ip);
      return signIn(deps, { request, reply }, db, user, await membershipOf(db, user.id), "telegram");
    },
    { rateLimit: LIMITS.telegram },
  );

  on(
    app,
    authApi.login,
    async ({ input, request, reply }) => {
      const key = tryKey(input.email, request.ip);
      await takeTry(db, key);
      const user = await checkPassword(db, input.email, input.password, request.ip);
      await forgetTries(db, key);
      const membership = await membershipOf(db, user.id);
      return db.transaction(async (tx) => {
        // A reset that ended all sessions while this password was checked must not miss the session made here.
        const [same] = await tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash!)))
          .for("share");
        if (same === undefined) throw unauthorized("Неверный email или пароль", "wrong_credentials");
        return signIn(deps, { request, reply }, tx, user, membership, "email");
      });
    },
    { rateLimit: LIMITS.login },
  );

  on(
    app,
    authApi.register,
    async ({ input, request, reply }) => {
      const { user, membership, confirmToken } = await register(db, input);
      afterAnswer("confirmation letter", () =>
        deps.mailer.send(confirmationLetter(input.email, config.publicUrl, confirmToken)),
      );
      const signedIn = await signIn(deps, { request, reply }, db, user, membership, "email");
      return { ...signedIn, letter: deps.mailer.way };
    },
    { rateLimit: LIMITS.register },
  );

  on(
    app,
    authApi.forgot,
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

  on(
    app,
    authApi.resendConfirmation,
    async ({ viewer: { userId }, request }) => {
      await takeTry(db, letterKey(userId), "Слишком много писем за короткое время. Повторите позже.");
      const { email, token } = await requestConfirmation(db, userId, request.ip);
      try {
        await deps.mailer.send(confirmationLetter(email, config.publicUrl, token));
      } catch (cause) {
        // What never left shall not keep the next one waiting.
        await endLinks(db, userId, "confirm-email");
        throw upstream("mail_failed", "Почтовый сервер не принял письмо. Попробуйте позже.", { cause });
      }
      return { ...DONE, letter: deps.mailer.way };
    },
    { rateLimit: LIMITS.letters },
  );

  on(
    app,
    authApi.reset,
    async ({ input, reply }) => {
      const { startedClean } = await resetPassword(db, config, input);
      clearSessionCookie(reply, config.publicUrl);
      return { ...DONE, startedClean };
    },
    { rateLimit: LIMITS.links },
  );

  on(
    app,
    authApi.confirm,
    async ({ input, viewer }) => {
      await confirmEmail(db, config, input.token, viewer?.userId ?? null);
      return DONE;
    },
    { rateLimit: LIMITS.links },
  );

  on(app, authApi.logout, async ({ viewer, reply }) => {
    await endSession(db, viewer.sessionId);
    await audit(db, { action: "logout", userId: viewer.userId, organizationId: viewer.organizationId });
    clearSessionCookie(reply, config.publicUrl);
    return DONE;
  });
}

/** How a messenger payload becomes an account. The demo branch exists in demo mode only. */
function telegramAccounts(app: FastifyInstance, deps: Deps) {
  const { db, config } = deps;
  const signed = async (payload: TelegramLoginInput, ip: string): Promise<UserRow> => {
    if (config.telegramBot === null) {
      throw unauthorized("Вход через Telegram не настроен", "telegram_not_configured");
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

/** Starts a session. A browser's is bound to a cookie that is set here; an API client's is the token alone. */
export async function signIn(
  { config }: Pick<Deps, "config">,
  { request, reply }: Exchange,
  db: Tx,
  user: UserRow,
  membership: Membership,
  method: "telegram" | "email",
): Promise<SignInResult> {
  const { organizationId } = membership;
  const { token, cookie } = await createSession(db, { userId: user.id, organizationId, bound: isBrowser(request) });
  await audit(db, { action: "sign-in", userId: user.id, organizationId, detail: { method, ip: request.ip } });
  if (cookie !== null) setSessionCookie(reply, config.publicUrl, cookie);
  return { success: true, token, user: userJson(user, membership) };
}
