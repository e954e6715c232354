/** The last step of every way to sign in: starts the session at once, or after the second factor. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FirstStepResult, SecondFactorNeeded, SignInResult } from "#contract/organizations/auth.ts";
import { deviceName } from "#server/accounts/mail/device-name.ts";
import type { SendNotice } from "#server/accounts/mail/notices.ts";
import type { Config } from "#server/platform/config.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { forbidden } from "#server/platform/errors.ts";
import type { Membership } from "./accounts.ts";
import { audit } from "./audit.ts";
import { isBrowser, setSessionCookie } from "./caller.ts";
import { recordDevice } from "./known-devices.ts";
import { bindVisitor, CHALLENGE_MS, openChallenge } from "./passkeys/challenges.ts";
import { hasSecondFactor } from "./second-factor/second-factor.ts";
import { createSession, newToken } from "./sessions.ts";
import { type UserRow, userJson } from "./user-json.ts";

interface SignInDeps {
  config: Config;
  tell: SendNotice;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export type SignInMethod = "telegram" | "email" | "passkey";
/** Milliseconds after registration within which the first sign-in is not reported to its owner. */
const NEW_ACCOUNT_MS = 60_000;

/** Returns the device and address of a request, for the list of sessions and for notices. */
export const placeOf = (request: FastifyRequest): { device: string; ip: string } => ({
  device: deviceName(request.headers["user-agent"], isBrowser(request)),
  ip: request.ip,
});

/**
 * Starts a session. A browser's session is bound to a cookie that is set here; an API client gets the token alone. The caller must have
 * checked the second factor.
 */
export async function signIn(
  { config, tell }: SignInDeps,
  { request, reply }: Exchange,
  db: Tx,
  user: UserRow,
  membership: Membership,
  method: SignInMethod,
  detail: Record<string, unknown> = {},
): Promise<SignInResult> {
  const { organizationId } = membership;
  const place = placeOf(request);
  const { token, cookie } = await createSession(db, {
    userId: user.id,
    organizationId,
    bound: isBrowser(request),
    ...place,
  });
  if (cookie !== null) setSessionCookie(reply, config.publicUrl, cookie);
  await audit(db, {
    action: "sign-in",
    userId: user.id,
    organizationId,
    detail: { method, ip: request.ip, ...detail },
  });
  const unknown = await recordDevice(db, user.id, { request, reply, publicUrl: config.publicUrl });
  if (unknown && Date.now() - user.createdAt.getTime() > NEW_ACCOUNT_MS) {
    await tell(db, user.id, { kind: "new-device", detail: place });
  }
  return { success: true, token, user: userJson(user, membership, config) };
}

/** `signIn` after a correct first step; an account with a second factor is asked for it first. */
export async function signInOrAsk(
  deps: SignInDeps,
  exchange: Exchange,
  db: Tx,
  user: UserRow,
  membership: Membership,
  method: SignInMethod,
): Promise<FirstStepResult> {
  if (!(await hasSecondFactor(db, user.id))) return signIn(deps, exchange, db, user, membership, method);
  return askForCode(deps, exchange, db, user, method);
}

async function askForCode(
  { config }: SignInDeps,
  { request, reply }: Exchange,
  db: Tx,
  user: UserRow,
  method: SignInMethod,
): Promise<SecondFactorNeeded> {
  const challenge = newToken();
  const bound = bindVisitor(request, reply, config.publicUrl);
  await openChallenge(db, challenge, { purpose: "second-factor", bound, userId: user.id, method });
  return {
    success: false,
    secondFactor: { challenge, expiresInSeconds: CHALLENGE_MS / 1000 },
    message: "Введите код из приложения",
  };
}

/** Refuses an account with a second factor, for ways to sign in that have no second step. @throws Problem 403 when the account has one */
export async function refuseWithSecondFactor(db: Tx, userId: string): Promise<void> {
  if (!(await hasSecondFactor(db, userId))) return;
  throw forbidden(
    "second_factor_needed",
    "Ваш аккаунт защищён вторым шагом входа. Войдите в него, а затем снова откройте эту ссылку.",
  );
}
